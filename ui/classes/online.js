// Says on a voter's page that the connection is lost, by itself: the server cannot. Streamlit writes on its root
// whether it is connected.

export default function (component) {
  const root = component.parentElement.querySelector(".offline")
  if (!root) return
  root.end?.()
  function look() {
    const state = document.querySelector("[data-testid=stApp]")?.dataset.testConnectionState
    root.hidden = navigator.onLine && (state === undefined || state === "CONNECTED")
  }
  look()
  const looking = setInterval(look, 500)
  root.end = () => clearInterval(looking)
  return root.end
}

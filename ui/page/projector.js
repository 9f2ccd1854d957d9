// Gives a lecturer's keys back once a hand has let go of a slider or a box: Streamlit hears no shortcut in a field.

const TURNED = "input[type=range], input[type=checkbox], input[type=radio]"

export default function (component) {
  const root = component.parentElement.querySelector(".keys")
  if (!root) return
  root.end?.()
  function leave() {
    setTimeout(() => {
      const held = document.activeElement
      if (held?.matches(TURNED)) held.blur()
    })
  }
  window.addEventListener("pointerup", leave, true)
  root.end = () => window.removeEventListener("pointerup", leave, true)
  return root.end
}

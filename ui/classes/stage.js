// Tells Python which key a presenter has pressed, {go: "next" | "back" | "play", at}; counts a vote or a discussion down and
// shows the time of day. Python sends {at, keys, plays, left, clock}: what was on the screen, whether its keys count,
// whether space plays, the seconds that are left, and whether the time of day is wanted.

const KEYS = { PageDown: "next", ArrowRight: "next", " ": "play", PageUp: "back", ArrowLeft: "back" }
// What is written in keeps all keys; what moves by arrows keeps these alone, so a clicker's keys go on after a slider was
// dragged.
const WRITTEN = "textarea, select, [contenteditable], [role=option], [role=combobox]"
const TURNED = "input, [role=radio], [role=slider]"

export default function (component) {
  const { data, parentElement, setTriggerValue } = component
  const root = parentElement.querySelector(".times")
  if (!root || !data) return
  root.end?.() // of what was sent before
  const [timer, clock] = root.children
  const until = data.left === null ? null : performance.now() + 1000 * data.left
  const two = number => String(number).padStart(2, "0")

  function tick() {
    const left = until === null ? null : Math.ceil((until - performance.now()) / 1000)
    const time = `${Math.floor(Math.abs(left) / 60)}:${two(Math.abs(left) % 60)}`
    // The hall need not know by how much.
    timer.textContent = left === null ? "" : left > 0 ? time : data.clock ? `+${time}` : "Time is up"
    clock.textContent = data.clock ? `${new Date().getHours()}:${two(new Date().getMinutes())}` : ""
  }

  function press(event) {
    let go = KEYS[event.key]
    const at = event.composedPath()[0]
    if (!data.keys || !go || event.ctrlKey || event.altKey || event.metaKey || at.closest?.(WRITTEN)) return
    if (!event.key.startsWith("Page") && at.closest?.(TURNED)) return
    if (event.key === " " && at.closest?.("button, a, summary")) return
    event.preventDefault()
    event.stopPropagation()
    if (go === "play" && !data.plays) go = "next"
    if (!event.repeat) setTriggerValue("key", { go, at: data.at })
  }
  tick()
  const ticking = setInterval(tick, 500)
  window.addEventListener("keydown", press, true)
  root.end = () => {
    clearInterval(ticking)
    window.removeEventListener("keydown", press, true)
  }
  return root.end
}

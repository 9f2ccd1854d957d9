// Keeps points that staff give by hand in this browser's localStorage, one entry for each text: the text's digest, the
// points, the comment. Python sends {turn, marks, wanted, erase}; what is wanted and here goes back as `stored`, once a
// turn: what was lost on its way is wanted again.

const PREFIX = "fleet-what-if-grades:1:"
const MOST = 250000 // characters in one message; the rest follows with the next run
const memory = { turn: null, erased: null }

function storage() {
  try {
    window.localStorage.getItem(PREFIX)
    return window.localStorage
  } catch (error) {
    return null // private mode or blocked
  }
}

export default ({ data, setTriggerValue }) => {
  const store = storage()
  if (!data || store === null || memory.turn === data.turn) return
  memory.turn = data.turn
  if (data.erase && data.erase !== memory.erased) {
    memory.erased = data.erase
    const names = Array.from({ length: store.length }, (_, i) => store.key(i) || "")
    for (const name of names) if (name.startsWith(PREFIX)) store.removeItem(name)
  }
  for (const [key, text] of Object.entries(data.marks)) {
    try {
      store.setItem(PREFIX + key, text)
    } catch (error) {
      console.warn("This browser's storage is full, so new points are lost when the page is left.")
    }
  }
  const found = {}
  let left = MOST
  for (const key of data.wanted) {
    const text = store.getItem(PREFIX + key)
    if (text === null) continue
    left -= key.length + text.length + 10
    if (left < 0) break
    found[key] = text
  }
  if (Object.keys(found).length > 0) setTriggerValue("stored", { turn: data.turn, marks: found })
}

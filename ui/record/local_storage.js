// Keeps what a visitor did in this browser's localStorage, one entry a field, so that two tabs never overwrite
// each other's records: only a field that changed in this tab is written, and a lock is written once.
// Python sends {session, turn, restored, once, fields, spare, erase, longest, unreadable}; this answers with `stored`, as
// an event: a state would be sent once more with every turn of a knob.

const PREFIX = "fleet-what-if:1:"
const MOST = 370000 // bytes, three times a whole course of full notes; the server refuses a message of 400 kB
const SIZE = text => new TextEncoder().encode(JSON.stringify(text)).length
const EMPTY = ['""', "{}", "[]", "null"]
const NARROW = 768 // px: at most this wide, the open sidebar covers the page
let place = null // the page that was shown last
const memory = {
  session: null, turn: null, asks: 0, waiting: false, written: {}, erased: null, told: null, full: false,
  theirs: new Set() // what another tab has tried since a hand moved anything in this one
}

// A full storage can still be read.
function storage() {
  try {
    window.localStorage.getItem(PREFIX)
    return window.localStorage
  } catch (error) {
    return null // private mode or blocked
  }
}

// The locks come first, whatever else is there. What is too long is named without its text, so that Python can say so.
function readAll(store, data) {
  const names = Array.from({ length: store.length }, (_, i) => store.key(i) || "").filter(name => name.startsWith(PREFIX))
  const rank = name => (data.once.includes(name.split("/")[1]) ? 0 : 1)
  const fields = {}
  let left = MOST
  for (const name of names.sort((a, b) => rank(a) - rank(b))) {
    const text = store.getItem(name) || ""
    left -= SIZE(name)
    if (left < 0) break
    const fits = text.length <= data.longest && SIZE(text) <= left
    left -= fits ? SIZE(text) : 0
    fields[name.slice(PREFIX.length)] = fits ? text : null
  }
  return fields
}

// On a phone a page that was chosen in the menu would stay hidden behind it.
function uncover() {
  const before = place
  place = window.location.pathname
  if (before === null || before === place) return
  document.querySelector("[data-testid=stSidebarContent]")?.scrollTo(0, 0)
  if (window.innerWidth > NARROW) return
  document.querySelector('[data-testid=stSidebarCollapseButton] button[aria-expanded=true]')?.click()
}

// A returning visitor is sent the locked page first: only this browser knows of the lock. What would jump is out of
// sight until the page has been drawn again, for two seconds at most.
function hold(fields, data) {
  const lacks = name => data.fields[name] === undefined && data.fields[name.replace(/prediction$/, "note")] !== undefined
  if (!Object.keys(fields).some(name => name.endsWith("/prediction") && lacks(name))) return
  document.documentElement.dataset.restoring = ""
  setTimeout(show, 2000)
}

// Three looks in a row must find nothing that is still being loaded.
function release(calm = 0) {
  if (document.documentElement.dataset.restoring === undefined) return
  const loading = document.querySelector("[data-testid=stMain] [data-testid=stSkeleton]")
  if (calm < 3) setTimeout(release, 50, loading ? 0 : calm + 1)
  else show()
}

function show() {
  delete document.documentElement.dataset.restoring
}

// A tour's step and what it speaks of are brought into sight together; on a phone the step stands at the screen's foot.
function follow(place) {
  const main = document.querySelector("[data-testid=stMain]")
  const thing = [...document.querySelectorAll(place)].find(one => one.getBoundingClientRect().height > 20)
  const step = document.querySelector("[class*=_tour_line]")?.closest("[class*=_tour]:not([class*=_tour_])")
  if (!main || !thing || !step) return
  const box = thing.getBoundingClientRect(), foot = step.getBoundingClientRect()
  const most = box.top - 70
  const least = window.innerWidth > NARROW ? foot.bottom - window.innerHeight + 12 : box.bottom - foot.top
  main.scrollBy(0, window.innerWidth > NARROW && least > most ? least : Math.min(Math.max(0, least), most))
}

export default function (component) {
  uncover()
  const { data: bytes, setTriggerValue } = component
  if (!bytes) return
  const data = JSON.parse(new TextDecoder().decode(bytes))
  // A further part of a lesson takes the page's place: it begins at its top.
  const view = data.view && `${window.location.pathname}/${data.view}`
  if (memory.view && view && memory.view !== view) {
    if (data.view.startsWith("tour")) setTimeout(follow, 250, data.view.slice(5)) // what leaves the page has left it by then
    else if (memory.view.includes("/tour")) document.querySelector("[class*=_tour_next]")?.scrollIntoView({ block: "center" })
    else document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0)
  }
  memory.view = view
  const store = storage()
  const tell = fields => {
    const stored = { session: data.session, available: store !== null, full: memory.full, fields }
    const text = JSON.stringify(stored)
    if (text !== memory.told) {
      memory.told = text
      setTriggerValue("stored", stored)
    }
  }
  if (store === null) {
    tell({})
    return
  }
  if (data.erase && data.erase.nonce !== memory.erased) {
    memory.erased = data.erase.nonce
    const { lessons } = data.erase
    for (const name of Object.keys(readAll(store, data)).filter(name => !data.spare.includes(name))) {
      if (["*", name, name.split("/")[0]].some(part => lessons.includes(part))) {
        store.removeItem(PREFIX + name)
        delete memory.written[name]
      }
    }
  }
  const known = memory.session === data.session
  const unheard = known && memory.waiting && data.restored !== data.session && memory.turn !== data.turn
  if (!known || (unheard && memory.asks < 3)) {
    // A new visit, a reload, or a server that has started again and knows nothing; or the answer was lost on its way.
    memory.asks = known ? memory.asks + 1 : 0
    memory.session = data.session
    memory.turn = data.turn
    memory.told = null
    memory.written = {}
    const fields = readAll(store, data)
    memory.waiting = Object.keys(fields).length > 0
    if (memory.waiting) {
      hold(fields, data)
      tell(fields)
    }
  }
  if (memory.waiting && data.restored !== data.session) return
  memory.waiting = false
  release()
  const write = fields => {
    let news = null
    let full = false
    for (const [name, text] of Object.entries(fields)) {
      if (memory.written[name] === text) continue
      // What another tab has tried since stays until a hand moves something in this one.
      if (memory.theirs.has(name)) continue
      const first = memory.written[name] === undefined
      memory.written[name] = text
      const before = store.getItem(PREFIX + name)
      if (before === text) continue
      if (before !== null && data.once.includes(name.split("/")[1]) && !data.unreadable.includes(name)) {
        // Another tab has locked this already: its answer stands, and this tab learns of it.
        news = readAll(store, data)
        continue
      }
      // What a page opens with when it holds nothing must not empty what another tab has kept.
      if (first && before !== null && EMPTY.includes(text)) continue
      try {
        store.setItem(PREFIX + name, text)
      } catch (error) {
        full = true
        delete memory.written[name] // tried again with the next rerun
      }
    }
    if (news !== null || full !== memory.full) {
      memory.full = full
      tell(news || {})
    }
  }
  // A turn of a knob sends its part of the page alone, with a small component that leaves its fields in the window: it
  // may be there before this one, and this one may be drawn again with what it was sent before the turn.
  const later = () => {
    const tried = window.fleetWhatIfTried
    return tried && tried.session === data.session && tried.turn > data.turn ? tried.fields : {}
  }
  write({ ...data.fields, ...later() })
  window.fleetWhatIfKeep = () => memory.waiting || write(later())
  const listen = event => {
    if (!event.key || !event.key.startsWith(PREFIX)) return
    const name = event.key.slice(PREFIX.length)
    if (name.endsWith("/tried")) memory.theirs.add(name)
    if (data.once.includes(name.split("/")[1])) tell(readAll(store, data))
  }
  const touched = () => memory.theirs.clear()
  window.addEventListener("storage", listen)
  for (const hand of ["pointerdown", "keydown"]) window.addEventListener(hand, touched, true)
  return () => {
    window.removeEventListener("storage", listen)
    for (const hand of ["pointerdown", "keydown"]) window.removeEventListener(hand, touched, true)
  }
}

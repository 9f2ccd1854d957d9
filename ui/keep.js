// Keeps what a visitor did in this browser's localStorage, one entry a field, so that two tabs never overwrite
// each other's records: only a field that changed in this tab is written, and a lock is written once.
// Python sends {session, restored, once, fields, spare, erase}; this answers with the state value `stored`.

const PREFIX = "fleet-what-if:1:"
const MOST = 400000 // characters: what is longer is not ours
const EMPTY = ['""', "{}", "[]", "null"]
const NARROW = 768 // px: at most this wide, the open sidebar covers the page
let place = null // the page that was shown last
const memory = { session: null, waiting: false, written: {}, erased: null, told: null }

function storage() {
  try {
    const probe = PREFIX + "probe"
    window.localStorage.setItem(probe, "1")
    window.localStorage.removeItem(probe)
    return window.localStorage
  } catch (error) {
    return null // private mode, blocked or full
  }
}

function readAll(store) {
  const fields = {}
  let size = 0
  for (let i = 0; i < store.length; i++) {
    const name = store.key(i)
    if (!name || !name.startsWith(PREFIX)) continue
    const text = store.getItem(name) || ""
    size += text.length
    if (size > MOST) return {}
    fields[name.slice(PREFIX.length)] = text
  }
  return fields
}

// On a phone a page that was chosen in the menu would stay hidden behind it.
function uncover() {
  const before = place
  place = window.location.pathname
  if (before === null || before === place || window.innerWidth > NARROW) return
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

export default function (component) {
  uncover()
  const { data, setStateValue } = component
  if (!data || !data.session) return
  const store = storage()
  const tell = fields => {
    const stored = { session: data.session, available: store !== null, fields }
    const text = JSON.stringify(stored)
    if (text !== memory.told) {
      memory.told = text
      setStateValue("stored", stored)
    }
  }
  if (store === null) {
    tell({})
    return
  }
  if (data.erase && data.erase.nonce !== memory.erased) {
    memory.erased = data.erase.nonce
    for (const name of Object.keys(readAll(store)).filter(name => !data.spare.includes(name))) {
      if (data.erase.lessons.includes("*") || data.erase.lessons.includes(name.split("/")[0])) {
        store.removeItem(PREFIX + name)
        delete memory.written[name]
      }
    }
  }
  if (memory.session !== data.session) {
    // A new visit, a reload, or a server that has started again and knows nothing.
    memory.session = data.session
    memory.written = {}
    const fields = readAll(store)
    memory.waiting = Object.keys(fields).length > 0
    if (memory.waiting) {
      hold(fields, data)
      tell(fields)
    }
  }
  if (memory.waiting && data.restored !== data.session) return
  memory.waiting = false
  release()
  for (const [name, text] of Object.entries(data.fields || {})) {
    if (memory.written[name] === text) continue
    const first = memory.written[name] === undefined
    memory.written[name] = text
    const before = store.getItem(PREFIX + name)
    if (before === text) continue
    if (before !== null && data.once.includes(name.split("/")[1])) {
      // Another tab has locked this already: its answer stands, and this tab learns of it.
      tell(readAll(store))
      continue
    }
    // What a page opens with when it holds nothing must not empty what another tab has kept.
    if (first && before !== null && EMPTY.includes(text)) continue
    try {
      store.setItem(PREFIX + name, text)
    } catch (error) {
      tell({})
      return
    }
  }
  const listen = event => {
    if (event.key && event.key.startsWith(PREFIX) && data.once.includes(event.key.split("/")[1])) tell(readAll(store))
  }
  window.addEventListener("storage", listen)
  return () => window.removeEventListener("storage", listen)
}

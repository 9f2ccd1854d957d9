// Saves pictures as files. Python sends {drawing, files}, a file being {name, page, heading, title, paper}: the page around
// a picture, with `drawing` where the chart belongs that the page shows under `title`. A film's page is complete and has no
// title. The browser has drawn the chart already: here it is copied without what only a pointer needs.

const SCALE = 2 // pixels of a PNG for each of the screen
const NUMBERS = ["d", "transform", "x", "y", "x1", "x2", "y1", "y2", "width", "height", "stroke-width"]
const FONT = "system-ui, sans-serif"

// The chart with this title as an SVG of its own; null while the page does not show it.
function drawn(title, paper) {
  const charts = [...document.querySelectorAll('[data-testid="stVegaLiteChart"]')]
  const shown = charts.find(one => one.getAttribute("aria-label") === title)?.querySelector("svg.marks")
  if (!shown) return null
  const copy = shown.cloneNode(true)
  // Bands under the pointer, rings and hints are there, but not seen.
  copy.querySelectorAll('[opacity="0"]').forEach(part => part.remove())
  for (const part of copy.querySelectorAll("*")) {
    for (const name of NUMBERS) {
      const value = part.getAttribute(name)
      if (value) part.setAttribute(name, value.replace(/-?\d*\.\d{3,}(?:e-?\d+)?/g, number => String(Number(Number(number).toFixed(2)))))
    }
    part.removeAttribute("aria-hidden")
    part.removeAttribute("pointer-events")
    if (part.hasAttribute("font-family")) part.setAttribute("font-family", FONT)
  }
  const [width, height] = ["width", "height"].map(name => Number.parseFloat(shown.getAttribute(name)))
  copy.removeAttribute("style")
  copy.removeAttribute("class")
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg")
  copy.setAttribute("viewBox", shown.getAttribute("viewBox") || `0 0 ${width} ${height}`)
  copy.setAttribute("role", "img")
  copy.setAttribute("aria-label", title)
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect")
  for (const [name, value] of [["width", "100%"], ["height", "100%"], ["fill", paper]]) ground.setAttribute(name, value)
  copy.prepend(ground)
  return { text: new XMLSerializer().serializeToString(copy), width, height }
}

function save(name, kind, parts) {
  const address = URL.createObjectURL(parts instanceof Blob ? parts : new Blob([parts], { type: kind }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60000)
}

async function saveImage(name, { text, width, height }) {
  const image = new Image(width, height)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement("canvas")
  canvas.width = width * SCALE
  canvas.height = height * SCALE
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
  save(name, "image/png", await new Promise(done => canvas.toBlob(done, "image/png")))
}

export default function ({ parentElement, data }) {
  const place = parentElement.querySelector(".save")
  place.replaceChildren()
  const note = document.createElement("p")
  note.setAttribute("role", "status")
  for (const file of data.files) {
    const row = place.appendChild(document.createElement("section"))
    if (data.files.length > 1) row.appendChild(document.createElement("span")).textContent = file.heading
    const add = (label, act) => {
      const button = row.appendChild(document.createElement("button"))
      button.textContent = label
      button.setAttribute("aria-label", `${label}: ${file.heading}`)
      button.onclick = () => {
        const chart = file.title ? drawn(file.title, file.paper) : {}
        note.textContent = chart ? "" : "The picture is not drawn yet. Wait a moment and try again."
        if (chart) act(chart)
      }
    }
    add("Save as HTML", chart => save(`${file.name}.html`, "text/html", file.title ? file.page.replace(data.drawing, () => chart.text) : file.page))
    if (!file.title) continue
    add("Save as SVG", chart => save(`${file.name}.svg`, "image/svg+xml", chart.text))
    add("Save as PNG", chart => saveImage(`${file.name}.png`, chart))
  }
  place.append(note)
}

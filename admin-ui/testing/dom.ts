import { afterEach, beforeEach, setSystemTime } from 'bun:test'
import { GlobalRegistrator } from '@happy-dom/global-registrator'
import { endTest } from './ends.ts'

/**
 * A page for the console's tests to stand in, with a screen of its own size. What a server's code may hold stays Bun's
 * own, so that a test of it in the same process meets no other `fetch` or `Response` than it has without this.
 */
const OWN = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'File',
  'FormData',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'WebSocket',
  'WritableStream',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'console',
  'crypto',
  'fetch',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'structuredClone',
] as const

// React would tell a profiler of every render, and compare all properties for it, where this is there.
Reflect.deleteProperty(console, 'timeStamp')

// No test depends on the time of its machine, or on how long it takes.
const NOW = new Date('2026-11-15T12:00:00.000Z')
setSystemTime(NOW)
beforeEach(() => void setSystemTime(NOW))

const HEIGHT = 900
export const DESKTOP = 1440
export const PHONE = 390

const kept = OWN.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
GlobalRegistrator.register({
  url: 'http://console.test/admin/',
  width: DESKTOP,
  height: HEIGHT,
  // a file that is saved is a click on a link, which would lead this page away some time later
  settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } },
})
for (const [name, own] of kept) if (own) Object.defineProperty(globalThis, name, own)

type Screen = { setViewport: (size: { width: number; height: number }) => void }
const page: unknown = Reflect.get(globalThis, 'happyDOM')
const isScreen = (one: unknown): one is Screen => typeof one === 'object' && one !== null && 'setViewport' in one

/** Makes the screen as wide as a phone or a desk. */
export const resizeTo = (width: number): void => {
  if (isScreen(page)) page.setViewport({ width, height: HEIGHT })
}

const readText = (element: HTMLElement): string => {
  const copy = element.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ''
  for (const style of copy.querySelectorAll('style')) style.remove()
  return copy.textContent?.slice(0, 1500) ?? ''
}

// A text field that grows asks to be told when fonts have come; here none ever do.
Object.defineProperty(document, 'fonts', { value: new EventTarget() })

// React tells of a change outside `act` only where it is told that tests are running.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
// Imported after the page is there: React looks for one as soon as it is loaded.
const { cleanup, configure } = await import('@testing-library/react')
configure({
  // A busy machine is no fault; what never comes is.
  asyncUtilTimeout: 8000,
  // The words of the page tell more than all of its elements.
  getElementError: (message) => new Error(`${message ?? ''}\nThe page: ${readText(document.body)}`),
})

// It stands here, in what is loaded before all files: a hook of a module that several files share is that of the first.
afterEach(() => {
  try {
    endTest()
  } finally {
    clean()
  }
})
const clean = (): void => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  document.head.innerHTML = ''
  document.body.innerHTML = ''
}

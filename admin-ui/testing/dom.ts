import { afterEach, beforeEach, setSystemTime } from 'bun:test'
import { GlobalRegistrator } from '@happy-dom/global-registrator'
import { endTest } from './ends.ts'

/**
 * Lists the globals that remain Bun's own when the page of the console's tests is registered. A test of server code in
 * the same process then uses the same `fetch` and `Response` as it does without this page.
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

// If this exists, React reports every render to a profiler, and compares all properties for it.
Reflect.deleteProperty(console, 'timeStamp')

// No test depends on the time of the machine.
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
  // Saving a file clicks on a link, which would make the page navigate away some time later.
  settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } },
})
for (const [name, own] of kept) if (own) Object.defineProperty(globalThis, name, own)

type Screen = { setViewport: (size: { width: number; height: number }) => void }
const page: unknown = Reflect.get(globalThis, 'happyDOM')
const isScreen = (one: unknown): one is Screen => typeof one === 'object' && one !== null && 'setViewport' in one

/** Sets the width of the screen, such as DESKTOP or PHONE. */
export const resizeTo = (width: number): void => {
  if (isScreen(page)) page.setViewport({ width, height: HEIGHT })
}

const readText = (element: HTMLElement): string => {
  const copy = element.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ''
  for (const style of copy.querySelectorAll('style')) style.remove()
  return copy.textContent?.slice(0, 1500) ?? ''
}

// A text field that grows listens for the loading of fonts; in these tests no font loads.
Object.defineProperty(document, 'fonts', { value: new EventTarget() })

// React reports a state change outside `act` only if this says that tests are running.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
// This is imported after the page exists, because React looks for a page as soon as it is loaded.
const { cleanup, configure } = await import('@testing-library/react')
configure({
  // The limit is long, because a busy machine is no failure; only an element that never comes is one.
  asyncUtilTimeout: 8000,
  // The text of the page says more than all of its elements.
  getElementError: (message) => new Error(`${message ?? ''}\nThe page: ${readText(document.body)}`),
})

// This hook is in the preloaded file: in a module that several test files import it would run for the first only.
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

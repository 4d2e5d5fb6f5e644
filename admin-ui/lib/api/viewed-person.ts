/** The view of this tab: the person it shows, and the token of its requests. */
export type View = {
  id: string
  token: string
  kind: 'trader' | 'user'
  name: string
  expiresAt: string
  /** The address to return to after the view. */
  back: string
}

// The view belongs to this tab and ends with it: other tabs stay the viewer's own.
const KEY = 'brokerbase-view'
const TEXTS = ['id', 'token', 'kind', 'name', 'expiresAt', 'back'] as const

const isView = (value: unknown): value is View =>
  typeof value === 'object' &&
  value !== null &&
  TEXTS.every((key) => typeof Reflect.get(value, key) === 'string') &&
  String(Reflect.get(value, 'back')).startsWith('/admin')

const read = (): View | null => {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return isView(value) && Date.parse(value.expiresAt) > Date.now() ? value : null
  } catch {
    return null
  }
}

// Tests of other files run this without a browser.
let current = typeof sessionStorage === 'undefined' ? null : read()

/** Returns the view of this tab; null if it shows the signed-in user. */
export const currentView = (): View | null => current

/** Turns this tab into the view. The console restarts, so that nothing of the viewer's own is left in it. */
export const enterView = (view: View): void => {
  sessionStorage.setItem(KEY, JSON.stringify(view))
  location.assign('/admin/')
}

/** Ends the view in this tab, and returns to the address before it. */
export const leaveView = (): void => {
  const back = current?.back ?? '/admin/'
  current = null
  sessionStorage.removeItem(KEY)
  location.assign(back)
}

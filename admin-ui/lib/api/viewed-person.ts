/** A view that this tab is in: whom it shows, and what its requests are sent with. */
export type View = {
  id: string
  token: string
  kind: 'trader' | 'user'
  name: string
  expiresAt: string
  /** Where the viewer was, to come back to. */
  back: string
}

// Of this tab alone, and gone with it: another tab stays the viewer's own.
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

// Tests of what is beside this run without a browser.
let current = typeof sessionStorage === 'undefined' ? null : read()

/** The view that this tab is in; null where the reader is themselves. */
export const currentView = (): View | null => current

/** Makes this tab the view. The console starts anew, so that nothing of the viewer's own is left in it. */
export const enterView = (view: View): void => {
  sessionStorage.setItem(KEY, JSON.stringify(view))
  location.assign('/admin/')
}

/** Makes this tab the viewer's own again, where they were before. */
export const leaveView = (): void => {
  const back = current?.back ?? '/admin/'
  current = null
  sessionStorage.removeItem(KEY)
  location.assign(back)
}

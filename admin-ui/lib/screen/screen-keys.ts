import { useContext, useEffect } from 'react'
import { notify } from '../api/notify.tsx'
import { undoLast } from '../api/undo-stack.ts'
import { say } from '../text/words.ts'
import { DialogDepth } from './dialog-depth.ts'
import { countDialogs } from './dialog-keys.ts'
import { someHold } from './open-guards.ts'
import { useLatest } from './use-latest.ts'

/** A key that acts on the present screen; the help lists exactly these. */
export type ScreenKey = {
  /** The key as the browser names it, in lower case: `a`, `enter`, `arrowdown`. */
  key: string
  /** What it does, for the help. */
  does: string
  /** Acts; `false` leaves the key to the browser, or to a part of the page that has it as well. */
  act: (event: KeyboardEvent) => unknown
  /** Whether it acts again and again while it is held. */
  repeats?: boolean
}

type Held = { depth: number; read: () => readonly ScreenKey[] }

/** Those of all parts of the screen; the part that came last goes first. */
let held: readonly Held[] = []

/**
 * Registers the keys of a part of the screen while it is shown. They act outside of fields and menus, without Ctrl,
 * and while no dialog is open above. What the reader may not do is left out by the caller, so the help is true.
 */
export const useScreenKeys = (keys: readonly ScreenKey[]): void => {
  const depth = useContext(DialogDepth)
  const read = useLatest(() => keys)
  useEffect(() => {
    const own = { depth, read }
    held = [own, ...held]
    return () => {
      held = held.filter((one) => one !== own)
    }
  }, [depth, read])
}

const listAt = (depth: number): ScreenKey[] => held.flatMap((one) => (one.depth === depth ? one.read() : []))

/** Lists the keys that act on the present screen now. */
export const listScreenKeys = (): ScreenKey[] =>
  listAt(countDialogs()).filter(({ key }, at, all) => all.findIndex((one) => one.key === key) === at)

/** Returns whether a text is typed into an element; a checkbox takes only the space bar. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches(
      'input:not([type="checkbox"], [type="radio"]), textarea, select, [role="textbox"], [role="combobox"]',
    ))

const isInMenu = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="menu"], [role="listbox"], .mantine-Popover-dropdown') !== null

/** Ctrl-Z takes the last act back, unless something is being written, whose own changes it would take back. */
const takeBack = (event: KeyboardEvent): void => {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.repeat) return
  if (event.key.toLowerCase() !== 'z' || event.isComposing) return
  if (isField(event.target) || someHold()) return
  event.preventDefault()
  if (!undoLast()) notify(say('parts.undo_nothing'))
}

const press = (event: KeyboardEvent): void => {
  const key = event.key.toLowerCase()
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  // A sign such as “/” needs Shift on some keyboards, a letter never.
  if (event.shiftKey && /^[a-z]$/.test(key)) return
  if (isField(event.target) || isInMenu(event.target)) return
  // A checkbox and a choice take the space bar and the arrows themselves, and no letters.
  if (event.target instanceof HTMLInputElement && !/^[^ ]$/.test(key)) return
  for (const one of listAt(countDialogs())) {
    if (one.key !== key || (event.repeat && !one.repeats)) continue
    if (one.act(event) === false) continue
    event.preventDefault()
    return
  }
}

// One listener serves all parts, so that each key acts once.
if (typeof window !== 'undefined') {
  window.addEventListener('keydown', press)
  window.addEventListener('keydown', takeBack)
}

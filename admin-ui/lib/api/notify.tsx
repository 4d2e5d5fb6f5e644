import { Anchor } from '@mantine/core'
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications'
import { say } from '../text/words.ts'
import { offerUndo } from './undo-stack.ts'

/** At most this many notices are shown at once. */
export const MOST_SHOWN = 3

let count = 0

/**
 * Shows a notice above the earlier ones. The oldest ones make room for it, except failures: these stay until they are
 * closed, and those that have no room wait for it.
 */
const show = (notice: NotificationData): string => {
  const { notifications: shown, queue } = notificationsStore.getState()
  const all = [...shown, ...queue]
  const passing = all.filter(({ autoClose }) => autoClose !== false)
  const room = Math.max(0, MOST_SHOWN - 1 - (all.length - passing.length))
  for (const { id } of passing.slice(room)) if (id !== undefined) notifications.hide(id)
  count += 1
  return notifications.show({
    ...notice,
    closeButtonProps: { 'aria-label': say('common.close') },
    priority: count,
  })
}

const isShown = (id: string): boolean => notificationsStore.getState().notifications.some((one) => one.id === id)

/** Shows that something was done. Failures are shown in their place, as long as that place stays. */
export const notify = (message: string, position: 'bottom-right' | 'top-center' = 'bottom-right'): void =>
  void show({ message, position })

/** Shows a failure whose place the reader may have left. It stays until it is closed. */
export const notifyFailure = (message: string): void => void show({ message, color: 'red', autoClose: false })

/** Shows that something is under way, until `hide` is called. Whoever closes the notice before calls `cancel`. */
export function notifyUnderWay(message: string, cancel: () => void): { tell: (now: string) => void; hide: () => void } {
  const id = show({ message, loading: true, autoClose: false, onClose: cancel })
  return {
    tell: (now) => notifications.update({ id, message: now }),
    hide: () => void notifications.hide(id),
  }
}

type Shown = { id: string; press: () => void }

/** Shows what was done, with one button for what may come next; the notice goes when it is pressed. */
const notifyWithButton = (
  message: string,
  button: { label: string; title?: string },
  act: () => void,
  autoClose?: number,
): Shown => {
  let pressed = false
  const press = (): void => {
    // The notice takes a moment to go, and the second click of a double click would act again.
    if (pressed) return
    pressed = true
    notifications.hide(id)
    act()
  }
  const id = show({
    ...(autoClose !== undefined && { autoClose }),
    message: (
      <>
        {message}{' '}
        <Anchor component="button" size="sm" fw={600} title={button.title} onClick={press}>
          {button.label}
        </Anchor>
      </>
    ),
  })
  return { id, press }
}

/** Shows what was done with a record that is no longer on screen, with a link to it. */
export const notifyWithLink = (message: string, view: () => void): void =>
  void notifyWithButton(message, { label: say('lists.view') }, view)

/** How long an act can be taken back, in milliseconds. */
const UNDO_SHOWN = 10_000

/** Shows an act that can be taken back, with the button for it; while it is shown, Ctrl-Z does the same. */
export const notifyWithUndo = (message: string, undo: () => void, label = say('parts.undo')): void => {
  const { id, press } = notifyWithButton(message, { label, title: say('parts.undo_key') }, undo, UNDO_SHOWN)
  offerUndo({ isShown: () => isShown(id), press })
}

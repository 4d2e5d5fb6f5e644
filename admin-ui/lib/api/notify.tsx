import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { say } from '../text/words.ts'

/** Shows that something was done. Failures are shown in their place, as long as that place stays. */
export const notify = (message: string, position: 'bottom-right' | 'top-center' = 'bottom-right'): void => {
  notifications.show({ closeButtonProps: { 'aria-label': say('common.close') }, message, position })
}

/** Shows a failure whose place the reader may have left. It stays until it is closed. */
export const notifyFailure = (message: string): void => {
  notifications.show({
    closeButtonProps: { 'aria-label': say('common.close') },
    message,
    color: 'red',
    autoClose: false,
  })
}

/** Shows what was done, with one button for what may come next; the notice goes when it is pressed. */
const notifyWithButton = (message: string, label: string, act: () => void, autoClose?: number): void => {
  let pressed = false
  const id = notifications.show({
    ...(autoClose !== undefined && { autoClose }),
    closeButtonProps: { 'aria-label': say('common.close') },
    message: (
      <>
        {message}{' '}
        <Anchor
          component="button"
          size="sm"
          onClick={() => {
            // The notice takes a moment to go, and the second click of a double click would act again.
            if (pressed) return
            pressed = true
            notifications.hide(id)
            act()
          }}
        >
          {label}
        </Anchor>
      </>
    ),
  })
}

/** Shows what was done with a record that is no longer on screen, with a link to it. */
export const notifyWithLink = (message: string, view: () => void): void =>
  notifyWithButton(message, say('lists.view'), view)

/** How long an act can be taken back, in milliseconds. */
const UNDO_SHOWN = 10_000

/** Shows an act that can be taken back, with the button for it. */
export const notifyWithUndo = (message: string, undo: () => void, label = say('parts.undo')): void =>
  notifyWithButton(message, label, undo, UNDO_SHOWN)

import type { KeyboardEvent } from 'react'

/**
 * Ctrl-Enter sends a form from any of its fields; in a text of several lines Enter alone starts a new line. A field
 * that takes the key itself, such as an open choice, keeps it.
 */
export const sendByKey = (event: KeyboardEvent<HTMLFormElement>): void => {
  if (event.defaultPrevented || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

import type { KeyboardEvent as TypedKey } from 'react'

/** Letters that follow within this many milliseconds belong to the same word. */
const SAME_WORD = 1000

/** What was typed into which choice, and when the last letter came. */
let typed: { field: HTMLElement; text: string; at: number } | null = null

const press = (field: HTMLElement, key: 'ArrowDown' | 'ArrowUp'): void =>
  void field.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true }))

/** Moves the mark of an open list by arrow keys to the first option that begins with the text. */
const markOption = (field: HTMLElement, text: string): void => {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '')
  const options = [...(list?.querySelectorAll<HTMLElement>('[role="option"]:not([data-combobox-disabled])') ?? [])]
  const wanted = options.findIndex((option) => (option.textContent ?? '').trim().toLowerCase().startsWith(text))
  if (wanted === -1) return
  const marked = options.findIndex((option) => option.hasAttribute('data-combobox-selected'))
  const steps = wanted - marked
  for (let left = Math.abs(steps); left > 0; left -= 1) press(field, steps > 0 ? 'ArrowDown' : 'ArrowUp')
}

/** Opens a choice without a text field by its first letters, as the browser’s own choices do; Enter then takes it. */
export const typeAhead = (event: TypedKey<HTMLInputElement>): void => {
  const { key, currentTarget: field, timeStamp } = event
  if (!field.readOnly || key.length !== 1 || key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return
  const isSame = typed?.field === field && timeStamp - typed.at < SAME_WORD
  const text = (isSame ? (typed?.text ?? '') : '') + key.toLowerCase()
  typed = { field, text, at: timeStamp }
  if (field.getAttribute('aria-expanded') !== 'true') press(field, 'ArrowDown')
  // The options are drawn a moment after the list opens.
  requestAnimationFrame(() => markOption(field, text))
}

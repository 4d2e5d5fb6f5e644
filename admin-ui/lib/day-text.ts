/** What a form holds for a day that was begun and not ended: the browser gives nothing for it, as for no day at all. */
export const HALF_DAY = '?'

/** A check for a form's day: none, or a whole one. */
export const wholeDay = (held: string): string | null => (held === HALF_DAY ? 'Type the whole day, or clear it' : null)

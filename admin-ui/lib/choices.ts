import { humanize } from './format.ts'

export type Choice = { value: string; label: string }

/** Values of an enum as the options of a select, in words. */
export const choices = (values: readonly string[]): Choice[] =>
  values.map((value) => ({ value, label: humanize(value) }))

export type Choice = { value: string; label: string }

/**
 * Returns the values of an enum as options of a select. With the enum's type, `choices<Deposit['method']>({…})`, or
 * with a record of it, a value that the server adds and that has no name does not compile.
 */
export const choices = <Word extends string>(
  labels: Readonly<Record<Word, string | { readonly label: string }>>,
): Choice[] =>
  Object.entries<string | { readonly label: string }>(labels).map(([value, label]) => ({
    value,
    label: typeof label === 'string' ? label : label.label,
  }))

export type Choice = { value: string; label: string }

/**
 * The words of an enum as the options of a select. With the enum's type, `choices<Deposit['method']>({…})`, or with a
 * record of it, a word that the server adds and nobody named is an error of the compiler.
 */
export const choices = <Word extends string>(
  labels: Readonly<Record<Word, string | { readonly label: string }>>,
): Choice[] =>
  Object.entries<string | { readonly label: string }>(labels).map(([value, label]) => ({
    value,
    label: typeof label === 'string' ? label : label.label,
  }))

/** Which state may follow which. A state without a follower is final. */
export type States<S extends string> = { readonly [From in S]: readonly S[] }

/** Declares a module's transition table: `defineStates({ pending: ['settled'], settled: [] })`. */
export const defineStates = <const S extends string>(
  states: { readonly [From in S]: readonly NoInfer<S>[] },
): States<S> => states

export const mayBecome = <S extends string>(states: States<S>, from: S, to: S): boolean => states[from].includes(to)

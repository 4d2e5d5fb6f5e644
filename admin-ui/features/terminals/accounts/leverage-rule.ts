import { say } from './words.ts'

/** Returns what is wrong with a leverage as it was typed; null if nothing is. */
export const findLeverageError = (text: string): string | null =>
  /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 10_000 ? null : say('terminals.order.leverage_rule')

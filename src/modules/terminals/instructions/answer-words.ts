import { say } from '../../../words/say.ts'

/** The answers of terminals, and our own reasons, that have a sentence. */
const SENTENCES = [
  '3',
  '8',
  '13',
  '3002',
  '3003',
  '3004',
  '3005',
  '3006',
  '3007',
  '3008',
  '3009',
  '3010',
  '3019',
  '4005',
  '10019',
  'not_enough_free',
  'currency_differs',
  'too_many_places',
  'reference_used',
  'no_login',
  'not_applied',
  'no_group',
  'client_not_allowed',
  'client_gone',
  'number_taken',
] as const

/** Returns what a person reads of why a terminal did not do something. */
export function explainAnswer(answer: string): string {
  const known = SENTENCES.find((one) => one === answer)
  return known === undefined ? say('terminals.answer.other', { answer }) : say(`terminals.answer.${known}`)
}

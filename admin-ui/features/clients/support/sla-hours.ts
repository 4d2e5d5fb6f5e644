import { readAmount } from '../../../lib/text/amount-text.ts'
import { say } from '../../firm/settings/words.ts'

const MOST = 1600

/** Converts minutes to the hours that a form shows. Two decimals are enough to tell every minute from the next one. */
export const hoursText = (minutes: number): string => String(Number((minutes / 60).toFixed(2)))

/** Converts typed hours to minutes; null if they are not hours up to MOST, or if the decimal sign is ambiguous. */
export const readHours = (typed: string): number | null => {
  const reading = readAmount(typed, null)
  const hours = reading.state === 'ok' ? Number(reading.amount) : 0
  const minutes = Math.round(hours * 60)
  return minutes >= 1 && hours <= MOST ? minutes : null
}

export const hoursRule = (typed: string): string | null =>
  readHours(typed) === null ? say('settings.sla.hours_format', { most: MOST }) : null

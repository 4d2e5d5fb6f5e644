import { groupDigits } from './format.ts'
import { locale } from './language.ts'
import { say } from './words.ts'

const percent = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
})
/** A larger change is not shown beside the two figures: “+4,000 %” says only that the earlier one was small. */
const MOST = 10

/**
 * Says what a figure was in the period before and how much it changed: “Before: 200.00 EUR (+12 %)”. From zero, from
 * below zero, and without one of the two figures, no change is shown.
 */
export function beforeText(now: string | null, before: string | null, unit = ''): string {
  if (before === null) return say('parts.period_before', { amount: say('parts.period_before.unknown') })
  const amount = `${groupDigits(before)} ${unit}`.trim()
  const [after, from] = [Number(now), Number(before)]
  const share = (after - from) / from
  if (now === null || from <= 0 || after < 0 || share > MOST) return say('parts.period_before', { amount })
  return say('parts.period_before.change', { amount, change: percent.format(share) })
}

import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { dayText } from '../../../lib/text/day-text.ts'
import type { Day } from './records.api.ts'
import { say } from './words.ts'

export const DAY_STATES: Record<Day['state'], { label: string; tone: Tone }> = {
  clean: { label: say('terminals.day.state.clean'), tone: 'good' },
  owned: { label: say('terminals.day.state.owned'), tone: 'off' },
  open: { label: say('terminals.day.state.open'), tone: 'wait' },
}
/** What the state of a day means. */
export const DAY_TEXTS: Record<Day['state'], string> = {
  clean: say('terminals.day.about.clean'),
  owned: say('terminals.day.about.owned'),
  open: say('terminals.day.about.open'),
}

export const DayState = ({ state }: Pick<Day, 'state'>) => <StatusBadge status={state} {...DAY_STATES[state]} />

/** Names a day of a trading server by its day and currency. */
export const nameDay = ({ day, currency }: Day): string => `${dayText(day)}, ${currency}`

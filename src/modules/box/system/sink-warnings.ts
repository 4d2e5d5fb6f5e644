import type { Static } from '@sinclair/typebox'
import { type Clock, DAY, MINUTE, SECOND, toIso } from '../../../platform/clock.ts'
import type { SinkDifference } from '../../../platform/event-sink.ts'
import type { Sink } from '../../../platform/events/sink/sink.ts'
import { say } from '../../../words/say.ts'
import type { WarningOut } from './system.model.ts'

type Warning = Static<typeof WarningOut>

/** Events that wait this long (ms) are a warning, and then an alarm. */
const BEHIND_WARNS = MINUTE
const BEHIND_ALARMS = 15 * MINUTE
/** A difference between stream and server is shown this long. */
const DIFFERENCE_LASTS = DAY

/** The sources of warnings about the stream of events; `differences` name the firm for people. */
export type SinkWarningParts = {
  sink: Sink | null
  differences: () => (SinkDifference & { firm: string })[]
  clock: Clock
}

const toMinute = (ms: number): string => toIso(ms).slice(0, 16).replace('T', ' ')

/** Describes numbers of a firm that the stream lacks, or that it has from before a restore. */
function describeDifference({ kind, firm, from, to, unsent, at }: ReturnType<SinkWarningParts['differences']>[number]) {
  const facts = { firm, from: String(from), to: String(to), at: toMinute(at) }
  if (kind === 'gone')
    return say('sink.warning.gap', { firm: facts.firm, from: facts.from, to: facts.to, at: facts.at })
  const count = to - from + 1
  return say('sink.warning.restored', { firm, count, from: facts.from, to: facts.to, unsent, at: facts.at })
}

/** Returns what is wrong with the stream that all events go to. */
export function sinkWarnings({ sink, differences, clock }: SinkWarningParts): Warning[] {
  if (!sink) return []
  const { state, refused, taken, why, lagMs } = sink.seen()
  const alarm = (code: Warning['code'], text: string): Warning => ({ code, severity: 'alarm', text })
  const now = clock.now()
  const recent = differences().filter(({ at }) => now - at < DIFFERENCE_LASTS)
  const seconds = Math.round(lagMs / SECOND)
  const isBehind = state !== 'off' && lagMs >= BEHIND_WARNS && refused === null
  return [
    ...(refused === null ? [] : [alarm('sink_refused', say('sink.warning.refused', { why: refused }))]),
    ...(taken === null ? [] : [alarm('sink_taken', say('sink.warning.taken', { what: taken }))]),
    // one warning for all firms, since a mail tells each code once
    ...(recent.length === 0 ? [] : [alarm('sink_gap', recent.map(describeDifference).join(' '))]),
    ...(isBehind
      ? [
          {
            code: 'sink_behind' as const,
            severity: lagMs >= BEHIND_ALARMS ? ('alarm' as const) : ('warning' as const),
            text: say('sink.warning.behind', { seconds, isKnown: String(why !== null), why: why ?? '' }),
          },
        ]
      : []),
  ]
}

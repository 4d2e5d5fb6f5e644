import { type Static, Type } from '@sinclair/typebox'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { invalid } from '../../../platform/problem.ts'
import { Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { isTimeZone } from '../../../platform/zone.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { defineSetting, readSetting } from '../../base/settings/settings.service.ts'
import { addWorkingTime, type Calendar, listMinutes, workingTimeBetween } from './business-hours.ts'
import type { Priority, TicketRow } from './support.table.ts'

const Target = nameSchema(
  'SlaTarget',
  Strict({
    firstReplyMinutes: Type.Integer({ minimum: 1, maximum: 100_000 }),
    resolutionMinutes: Type.Integer({ minimum: 1, maximum: 100_000 }),
    roundTheClock: Type.Boolean({ description: 'nights, weekends and holidays count too' }),
  }),
)
const HOUR_OF_DAY = '([01]\\d|2[0-3]):[0-5]\\d'

export const SlaPolicies = nameSchema(
  'SlaPoliciesIn',
  Strict({
    timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name such as Europe/Nicosia' }),
    hours: Type.Array(
      Strict({
        day: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday' }),
        from: Type.String({ pattern: `^${HOUR_OF_DAY}$`, description: 'a time such as 09:00' }),
        to: Type.String({
          pattern: `^(${HOUR_OF_DAY}|24:00)$`,
          description: 'a time such as 18:00, up to 24:00; one that is not later than `from` is on the next day',
          examples: ['18:00'],
        }),
      }),
      { maxItems: 28 },
    ),
    holidays: Type.Array(Type.String({ format: 'date' }), { maxItems: 400, uniqueItems: true }),
    targets: Strict({ urgent: Target, high: Target, normal: Target, low: Target }),
  }),
)
export type Policies = Static<typeof SlaPolicies>

const target = (firstReplyHours: number, resolutionHours: number, roundTheClock = false) => ({
  firstReplyMinutes: firstReplyHours * 60,
  resolutionMinutes: resolutionHours * 60,
  roundTheClock,
})

/** The default hours until first reply and resolution; urgent tickets count all hours of the week. RULES “Support”. */
export const slaPolicies = defineSetting('sla_policies', SlaPolicies, {
  timeZone: 'UTC',
  hours: [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '18:00' })),
  holidays: [],
  targets: { urgent: target(1, 4, true), high: target(4, 8), normal: target(8, 24), low: target(24, 72) },
})

const A_DAY = DAY / MINUTE
const A_WEEK = 7 * A_DAY
type Hours = Policies['hours'][number]
/** Returns whether two intervals of the week overlap; hours that begin on Sunday may end on Monday. */
function overlap(one: Hours, other: Hours): boolean {
  const [[begin, end], [from, to]] = [listMinutes(one), listMinutes(other)]
  const apart = (other.day - one.day) * A_DAY
  return [-A_WEEK, 0, A_WEEK].some((week) => begin < to + apart + week && from + apart + week < end)
}

/**
 * Refuses what a schema cannot: unknown time zones, intervals that overlap or end as they begin, and a first reply due
 * after the resolution.
 */
export function checkPolicies(policies: Policies): void {
  if (!isTimeZone(policies.timeZone)) throw invalid('timeZone', 'unknown', say('problems.field.time_zone_unknown'))
  policies.hours.forEach((hours, index) => {
    if (hours.from === hours.to) throw invalid(`hours.${index}.to`, 'range', say('support.field.hours_order'))
    const twice = policies.hours.findIndex((other, at) => at < index && overlap(hours, other))
    if (twice >= 0) throw invalid(`hours.${index}.from`, 'overlap', say('support.field.hours_overlap', { twice }))
  })
  const aWeek = policies.hours.map(listMinutes).reduce((sum, [begin, end]) => sum + end - begin, 0)
  for (const [priority, { firstReplyMinutes, resolutionMinutes, roundTheClock }] of Object.entries(policies.targets)) {
    const path = `targets.${priority}.resolutionMinutes`
    if (firstReplyMinutes > resolutionMinutes) throw invalid(path, 'range', say('support.field.resolution_too_short'))
    if (!roundTheClock && aWeek > 0 && resolutionMinutes > aWeek * 52)
      throw invalid(path, 'range', say('support.field.resolution_too_long'))
  }
}

const ALWAYS: Calendar = { timeZone: 'UTC', hours: [], holidays: [] }
const pickCalendar = (policies: Policies, priority: Priority): Calendar =>
  policies.targets[priority].roundTheClock ? ALWAYS : policies

export const readPolicies = (db: Reader): Policies => readSlaPolicies(db).value

/**
 * Returns the firm's service levels with their version; the default levels use the firm's time zone. `db` must see the
 * whole firm.
 */
export function readSlaPolicies(db: Reader): { value: Policies; version: number } {
  const setting = readSetting(db, slaPolicies)
  if (setting.version > 0) return setting
  return { value: { ...setting.value, timeZone: readFirmSettings(db).timeZone }, version: 0 }
}

/** Returns the deadlines of a ticket whose time starts at `start` and stops during `pauses`. */
export function deadlines(
  policies: Policies,
  priority: Priority,
  start: number,
  pauses: TicketRow['pauses'] = [],
): { firstReplyDueAt: number; resolutionDueAt: number } {
  const { firstReplyMinutes, resolutionMinutes } = policies.targets[priority]
  const calendar = pickCalendar(policies, priority)
  const due = (duration: number): number => {
    let [from, left] = [start, duration]
    for (const [begin, end] of pauses) {
      const used = workingTimeBetween(from, begin, calendar)
      if (used >= left) break
      left -= used
      from = end
    }
    return addWorkingTime(from, left, calendar)
  }
  return { firstReplyDueAt: due(firstReplyMinutes * MINUTE), resolutionDueAt: due(resolutionMinutes * MINUTE) }
}

/** Returns the deadlines after a pause: as much working time is left as when the pause began. */
export function resumed(
  policies: Policies,
  ticket: TicketRow,
  now: number,
): { firstReplyDueAt: number | null; resolutionDueAt: number | null } {
  const calendar = pickCalendar(policies, ticket.priority)
  const { pausedAt } = ticket
  const move = (due: number | null): number | null => {
    if (due === null || pausedAt === null) return due
    // a deadline that had passed before the pause does not move
    if (due <= pausedAt) return due
    return addWorkingTime(now, workingTimeBetween(pausedAt, due, calendar), calendar)
  }
  return { firstReplyDueAt: move(ticket.firstReplyDueAt), resolutionDueAt: move(ticket.resolutionDueAt) }
}

/** Returns the next deadline: of the first reply until there is one, then of the resolution; null if paused or done. */
export function nextDue(ticket: TicketRow): { kind: 'firstReply' | 'resolution'; at: number } | null {
  if (ticket.status !== 'open') return null
  if (ticket.firstRepliedAt === null && ticket.firstReplyDueAt !== null)
    return { kind: 'firstReply', at: ticket.firstReplyDueAt }
  return ticket.resolutionDueAt === null ? null : { kind: 'resolution', at: ticket.resolutionDueAt }
}

/** Returns by how many minutes of real time a deadline was missed; null if it was met. */
export const lateBy = (due: number | null, done: number | null): number | null =>
  due === null || done === null || done <= due ? null : Math.ceil((done - due) / MINUTE)

/** A ticket's warning begins when this part of its time is left. */
const WARNING_LEFT = 0.25

/** Returns `warning` once a quarter of a ticket's time is left, and `breached` once none is. */
export function getSlaStanding(policies: Policies, ticket: TicketRow, now: number): 'fine' | 'warning' | 'breached' {
  const due = nextDue(ticket)
  if (due === null) return 'fine'
  if (now >= due.at) return 'breached'
  const { firstReplyMinutes, resolutionMinutes } = policies.targets[ticket.priority]
  const whole = (due.kind === 'firstReply' ? firstReplyMinutes : resolutionMinutes) * MINUTE
  const calendar = pickCalendar(policies, ticket.priority)
  return workingTimeBetween(now, due.at, calendar) <= whole * WARNING_LEFT ? 'warning' : 'fine'
}

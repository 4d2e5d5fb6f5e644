import { Anchor, Button, type ButtonProps } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { errorText } from '../../../components/page/error-state.tsx'
import { KeptPlace } from '../../../components/page/kept-place.tsx'
import { Section } from '../../../components/page/section.tsx'
import { useCan, useMe } from '../../../lib/api/session.ts'
import { type Step, type StepState, useFirstWeek, useWeekIsKnown } from './first-week.api.ts'
import { WAYS } from './first-week-ways.ts'
import { say } from './words.ts'

/**
 * Lists what a new firm has yet to do. It is at the top of the dashboard until the first deposit is settled, and
 * disappears when all is done, or when it is put away.
 */
export const FirstWeek = ({ place }: { place: 'first' | 'later' }) => {
  const isKnown = useWeekIsKnown()
  return (
    <KeptPlace name={`week-${place}`} isKnown={isKnown}>
      <WeekSection place={place} />
    </KeptPlace>
  )
}

const WeekSection = ({ place }: { place: 'first' | 'later' }) => {
  const can = useCan()
  const { tenant } = useMe()
  const week = useFirstWeek()
  if (!week || (week.next === undefined) !== (place === 'later')) return null
  const { steps, path, later, next, putAway } = week
  const ready = steps.filter(({ done }) => done).length
  return (
    <Section
      title={say('dashboard.week.title', { firm: tenant.name })}
      description={say('dashboard.week.done', { ready, all: steps.length })}
      actions={
        <>
          {can('admin') && <PutAway putAway={putAway} />}
          <Continue step={next?.step} size="xs" />
        </>
      }
      flush
    >
      <PutAwayError error={putAway.error} />
      {next && <Steps label={say('dashboard.week.path')} steps={path} />}
      <Steps label={say('dashboard.week.later')} steps={later} />
    </Section>
  )
}

/** Reminds of the next step above every other page, until the first deposit is settled or the steps are put away. */
export const FirstWeekBar = () => {
  const isKnown = useWeekIsKnown()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // These two pages show the next step themselves.
  if (path === '/' || path === '/recovery-key') return null
  return (
    <KeptPlace name="week-bar" isKnown={isKnown}>
      <WeekBar />
    </KeptPlace>
  )
}

const WeekBar = () => {
  const can = useCan()
  const { tenant } = useMe()
  const week = useFirstWeek()
  if (!week?.next) return null
  return (
    <section className="week-bar" aria-label={say('dashboard.week.title', { firm: tenant.name })}>
      <ol>
        {week.path.map(({ step, done }) => (
          <li key={step} data-done={done || undefined}>
            <StepName step={step} done={done} />
          </li>
        ))}
      </ol>
      <PutAwayError error={week.putAway.error} />
      <Continue step={week.next.step} size="xs" />
      {can('admin') && <PutAway putAway={week.putAway} />}
    </section>
  )
}

/** Links to the next step, or to the dashboard if none is left, once the recovery key is kept. */
export const WayOn = () => {
  const week = useFirstWeek()
  return week?.next ? (
    <Continue step={week.next.step} />
  ) : (
    <Button renderRoot={(props) => <Link {...props} to="/" />}>{say('dashboard.week.dashboard')}</Button>
  )
}

/** Opens the form of a step. */
const Continue = ({ step, size = 'sm' }: { step: Step | undefined } & Pick<ButtonProps, 'size'>) => {
  const can = useCan()
  if (!step || !can(WAYS[step].least)) return null
  const { title, to, search = {} } = WAYS[step]
  return (
    <Button size={size} renderRoot={(props) => <Link {...props} to={to} search={search} />}>
      {say('dashboard.week.continue', { step: say(title) })}
    </Button>
  )
}

type PutAwayProps = { putAway: NonNullable<ReturnType<typeof useFirstWeek>>['putAway'] }

const PutAway = ({ putAway }: PutAwayProps) => (
  <Button size="xs" variant="default" loading={putAway.isPending} onClick={() => putAway.mutate()}>
    {say('dashboard.week.away')}
  </Button>
)

const PutAwayError = ({ error }: { error: Error | null }) =>
  error && (
    <p className="error-text week-error" role="alert">
      {errorText(error)}
    </p>
  )

const Steps = ({ label, steps }: { label: string; steps: readonly StepState[] }) => (
  <>
    <h3 className="week-label">{label}</h3>
    <ul className="rows week" aria-label={label}>
      {steps.map(({ step, done }) => (
        <li key={step} className="row" data-done={done || undefined}>
          <div className="row-main">
            <StepName step={step} done={done} />
            {!done && <div className="row-sub">{say(WAYS[step].about)}</div>}
          </div>
        </li>
      ))}
    </ul>
  </>
)

/** Names a step and whether it is done; it is a link for those who may do it. */
const StepName = ({ step, done }: StepState) => {
  const can = useCan()
  const { title, to, search = {}, least } = WAYS[step]
  return (
    <span className="week-step">
      {done ? <IconCircleCheckFilled size={18} aria-hidden /> : <IconCircle size={18} stroke={1.7} aria-hidden />}
      {!done && can(least) ? (
        <Anchor renderRoot={(props) => <Link {...props} to={to} search={search} />} size="sm">
          {say(title)}
        </Anchor>
      ) : (
        <span className="week-plain">{say(title)}</span>
      )}
      <span className="sr-only"> {say(done ? 'dashboard.week.is_done' : 'dashboard.week.is_open')}</span>
    </span>
  )
}

import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PageForm } from '../../../components/forms/form-modal.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { Facts } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRecordForm } from '../../../lib/forms/use-record-form.ts'
import { formatDateTime } from '../../../lib/text/format.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { span, workingSpan } from './durations.ts'
import { SlaBadge } from './sla-badge.tsx'
import { fetchTargets, type Ticket, type TicketChange, type TicketRecord, updateTicket } from './support.api.ts'
import { categoryChoices, categoryName } from './ticket-categories.ts'
import { PRIORITIES, Priority } from './ticket-words.tsx'
import { say } from './words.ts'

/** Shows who has the ticket, how urgent it is, and its deadlines. */
export const TicketFields = ({ ticket }: { ticket: TicketRecord }) => {
  const can = useCan()
  const staff = useStaff()
  return (
    <>
      <Section title={say('support.fields.title')}>
        {can('operator') ? (
          <Change ticket={ticket} />
        ) : (
          <Facts
            items={[
              [say('support.fields.priority'), <Priority key="priority" priority={ticket.priority} />],
              [say('field.assignedTo'), staff.findStaffName(ticket.assignedTo)],
              [say('support.category.label'), categoryName(ticket.category)],
            ]}
          />
        )}
      </Section>
      <Clock ticket={ticket} />
    </>
  )
}

const pickFields = ({ priority, assignedTo, category }: Ticket): Required<TicketChange> => ({
  priority,
  assignedTo,
  category,
})

const Change = ({ ticket }: { ticket: TicketRecord }) => {
  const live: Ticket = ticket
  const staff = useStaff()
  const tellChange = useToldChange('support')
  const state = useRecordForm({
    live,
    resource: 'support',
    toValues: pickFields,
    save: (values, over) => updateTicket(over, values),
    onSaved: (saved, over) => {
      const before = pickFields(over)
      tellChange({
        before,
        after: pickFields(saved),
        undo: () => updateTicket(saved, before),
        done: say('support.fields.saved'),
        labels: { priority: say('support.fields.priority'), category: say('support.category.label') },
        also: dueText(over, saved),
        nameValue: (key, value) => {
          if (key === 'assignedTo') return staff.findStaffName(value)
          return key === 'category' ? categoryName(value) : null
        },
      })
    },
  })
  const field = state.form.getInputProps
  const { priority } = state.form.getValues()
  return (
    <PageForm state={state} submitLabel={say('support.fields.save')}>
      <Select
        label={say('support.fields.priority')}
        data={PRIORITIES}
        allowDeselect={false}
        {...field('priority')}
        {...(priority !== ticket.priority && {
          description: <WhatChanges priority={priority} replied={ticket.sla.firstRepliedAt !== null} />,
          inputWrapperOrder: ['label', 'input', 'description', 'error'],
        })}
      />
      <Select
        label={say('field.assignedTo')}
        placeholder={say('support.fields.nobody')}
        data={staff.options}
        searchable
        clearable
        {...field('assignedTo')}
      />
      <Select
        label={say('support.category.label')}
        data={categoryChoices(ticket.category)}
        searchable
        allowDeselect={false}
        {...field('category')}
      />
    </PageForm>
  )
}

/** Says when the ticket is due now, if its priority changed. */
const dueText = (before: Ticket, { priority, sla }: Ticket): string | undefined => {
  if (priority === before.priority || !sla.resolutionDueAt) return undefined
  const resolution = formatDateTime(sla.resolutionDueAt)
  return sla.firstRepliedAt || !sla.firstReplyDueAt
    ? say('support.fields.due_resolution', { at: resolution })
    : say('support.fields.due_deadlines', { at: formatDateTime(sla.firstReplyDueAt), resolution })
}

/** Says what another priority does to the deadlines, before it is saved. */
const WhatChanges = ({ priority, replied }: { priority: Ticket['priority']; replied: boolean }) => {
  const { data } = useQuery({ queryKey: ['sla', 'targets'], queryFn: fetchTargets })
  if (!data) return null
  const { firstReplyMinutes, resolutionMinutes, roundTheClock } = data.targets[priority]
  const resolution = workingSpan(resolutionMinutes)
  const kind = say(roundTheClock ? 'support.priority.always' : 'support.priority.hours')
  return (
    <span role="status">
      {replied
        ? say('support.priority.tells_replied', { resolution, kind })
        : say('support.priority.tells', { reply: workingSpan(firstReplyMinutes), resolution, kind })}
    </span>
  )
}

const late = (minutes: number): string => span(minutes * 60_000)

/** Shows what is due and what was late; a delay remains visible after the work is done. */
const Clock = ({ ticket: { sla, status, closedAt } }: { ticket: TicketRecord }) => (
  <Section title={say('support.clock.title')}>
    {sla.firstReplyLateMinutes !== null && (
      <div className="sla-late">{say('support.clock.first_late', { late: late(sla.firstReplyLateMinutes) })}</div>
    )}
    {sla.resolutionLateMinutes !== null && (
      <div className="sla-late">{say('support.clock.resolution_late', { late: late(sla.resolutionLateMinutes) })}</div>
    )}
    <Facts
      items={[
        [say('support.clock.due'), <SlaBadge key="due" sla={sla} status={status} />],
        [say('support.clock.first_reply'), <FirstReply key="first" sla={sla} />],
        [say('support.clock.resolution'), sla.resolutionDueAt && <When key="resolution" at={sla.resolutionDueAt} />],
        [say('support.clock.paused'), sla.pausedAt ? <When key="paused" at={sla.pausedAt} /> : undefined],
        [say('support.clock.closed'), closedAt ? <When key="closed" at={closedAt} /> : undefined],
      ]}
    />
  </Section>
)

const FirstReply = ({ sla: { firstRepliedAt, firstReplyDueAt } }: Pick<Ticket, 'sla'>) => {
  if (firstRepliedAt) return <When at={firstRepliedAt} />
  return firstReplyDueAt ? say('support.clock.reply_due', { at: formatDateTime(firstReplyDueAt) }) : '—'
}

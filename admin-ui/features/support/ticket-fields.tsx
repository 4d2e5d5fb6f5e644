import { Select, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../components/error-state.tsx'
import { FormNotice } from '../../components/form-modal.tsx'
import { Facts } from '../../components/record-page.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { humanize } from '../../lib/format.ts'
import { isConflict } from '../../lib/http.ts'
import { notifyFailure } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { useStaff } from '../users/users.api.ts'
import { SlaBadge } from './sla-badge.tsx'
import { type TicketChange, type TicketRecord, updateTicket } from './support.api.ts'
import { isPriority, PRIORITIES, Priority } from './ticket-words.tsx'

/** Who has the ticket, how urgent it is and when it is due. A change is saved at once. */
export const TicketFields = ({ ticket }: { ticket: TicketRecord }) => {
  const can = useCan()
  const staff = useStaff()
  const refresh = useRefresh()
  const { sla } = ticket
  const reload = (): void => void refresh('support')
  const change = useMutation({
    mutationFn: (body: TicketChange) => updateTicket(ticket, body),
    onSuccess: () => refresh('support'),
    // A category is saved by leaving its field, so the page may be gone when the answer comes.
    onError: (error) => notifyFailure(`The ticket “${ticket.subject}” was not changed. ${errorText(error)}`),
  })
  const conflict = isConflict(change.error) ? change.error : null
  return (
    <>
      <Section title="Ticket">
        {can('operator') ? (
          <Stack gap="sm">
            <Select
              label="Priority"
              data={PRIORITIES}
              allowDeselect={false}
              value={ticket.priority}
              disabled={change.isPending}
              onChange={(value) => {
                if (value && isPriority(value) && value !== ticket.priority) change.mutate({ priority: value })
              }}
            />
            <Select
              label="Assigned to"
              placeholder="Nobody"
              data={staff.options}
              searchable
              clearable
              value={ticket.assignedTo}
              disabled={change.isPending}
              onChange={(assignedTo) => change.mutate({ assignedTo })}
            />
            <CategoryField
              key={ticket.category}
              category={ticket.category}
              onChange={(category) => change.mutate({ category })}
            />
            <FormNotice error={null} conflict={conflict} onReload={reload} />
          </Stack>
        ) : (
          <Facts
            items={[
              ['Priority', <Priority key="priority" priority={ticket.priority} />],
              ['Assigned to', staff.nameOf(ticket.assignedTo)],
              ['Category', humanize(ticket.category)],
            ]}
          />
        )}
      </Section>
      <Section title="Clock">
        <Facts
          items={[
            ['Due', <SlaBadge key="due" sla={sla} status={ticket.status} />],
            [
              'First reply',
              sla.firstRepliedAt ? (
                <When key="replied" at={sla.firstRepliedAt} />
              ) : (
                sla.firstReplyDueAt && (
                  <>
                    due <When key="firstDue" at={sla.firstReplyDueAt} />
                  </>
                )
              ),
            ],
            ['Resolution due', sla.resolutionDueAt && <When key="resolution" at={sla.resolutionDueAt} />],
            ['Paused since', sla.pausedAt ? <When key="paused" at={sla.pausedAt} /> : undefined],
            ['Closed at', ticket.closedAt ? <When key="closed" at={ticket.closedAt} /> : undefined],
            ['Client', ticket.traderId && <TraderLink key="trader" id={ticket.traderId} name={ticket.traderName} />],
          ]}
        />
      </Section>
    </>
  )
}

/** Saved when the reader leaves the field or presses Enter. */
const CategoryField = ({ category, onChange }: { category: string; onChange: (category: string) => void }) => {
  const [text, setText] = useState(category)
  const fits = /^[a-z][a-z0-9_-]{0,39}$/.test(text)
  const save = (): void => {
    if (fits && text !== category) onChange(text)
  }
  return (
    <TextInput
      label="Category"
      value={text}
      error={fits ? null : 'A word in small letters such as payments'}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save()
      }}
    />
  )
}

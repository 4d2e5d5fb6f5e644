import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ChoiceGroups } from '../../../components/forms/choice-groups.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { humanize } from '../../../lib/text/format.ts'
import { type EventName, fetchEvents } from './webhooks.api.ts'
import { isSentenceKey, say } from './words.ts'

/** Names the area of an event, such as “Deposit”. */
const groupName = (event: string): string => {
  const area = event.split('.')[0] ?? ''
  const sentence = `webhooks.group.${area}`
  return isSentenceKey(sentence) ? say(sentence) : humanize(area)
}

/** Reads the catalogue of events once. */
export const useEvents = () =>
  useQuery({ queryKey: ['webhooks', 'events'], queryFn: fetchEvents, staleTime: Number.POSITIVE_INFINITY })

type EventsFieldProps = {
  value?: EventName[]
  onChange?: (events: EventName[]) => void
  error?: ReactNode
  'aria-required'?: boolean
}

/** Chooses the events that a webhook gets, area by area. */
export const EventsField = ({ value = [], onChange, ...rest }: EventsFieldProps) => (
  <Loaded query={useEvents()}>
    {({ data }) => (
      <ChoiceGroups
        legend={say('webhooks.events')}
        choices={data.map(({ event }) => ({
          value: event,
          description: say(`webhooks.told.${event}`),
          group: groupName(event),
        }))}
        value={value}
        onChange={onChange}
        {...rest}
      />
    )}
  </Loaded>
)

import { Checkbox, Stack, Table, TagsInput, TextInput, type TextInputProps } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { PageForm } from '../../../components/forms/form-modal.tsx'
import { TimeZoneSelect } from '../../../components/forms/time-zone-select.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Section } from '../../../components/page/section.tsx'
import { useRecordForm } from '../../../lib/forms/use-record-form.ts'
import { fetchSla, type SlaPolicies, setSla } from '../../firm/settings/policies.api.ts'
import { say } from '../../firm/settings/words.ts'
import { HoursField } from './hours-field.tsx'
import { hoursRule, hoursText, readHours } from './sla-hours.ts'
import { PRIORITIES } from './ticket-words.tsx'

const DAY = /^\d{4}-\d{2}-\d{2}$/

type Targets = SlaPolicies['targets']
type Priority = keyof Targets
/** Holds targets as the form needs them: hours as typed, under the field names with which the API reports errors. */
type TypedTarget = { firstReplyMinutes: string; resolutionMinutes: string; roundTheClock: boolean }
type TypedTargets = Record<Priority, TypedTarget>

const ofEach = <T,>(make: (priority: Priority) => T): Record<Priority, T> => ({
  low: make('low'),
  normal: make('normal'),
  high: make('high'),
  urgent: make('urgent'),
})

const typedTargets = (targets: Targets): TypedTargets =>
  ofEach((priority) => {
    const { firstReplyMinutes, resolutionMinutes, roundTheClock } = targets[priority]
    return {
      firstReplyMinutes: hoursText(firstReplyMinutes),
      resolutionMinutes: hoursText(resolutionMinutes),
      roundTheClock,
    }
  })

// The form is not sent with invalid hours, so this 1 is never saved.
const minutes = (typed: string): number => readHours(typed) ?? 1
const toTargets = (typed: TypedTargets): Targets =>
  ofEach((priority) => {
    const { firstReplyMinutes, resolutionMinutes, roundTheClock } = typed[priority]
    return {
      firstReplyMinutes: minutes(firstReplyMinutes),
      resolutionMinutes: minutes(resolutionMinutes),
      roundTheClock,
    }
  })

/** Edits how fast tickets are answered, and in which hours the time counts. */
export const SlaSection = () => {
  const policies = useQuery({ queryKey: ['sla'], queryFn: fetchSla })
  return <Loaded query={policies}>{(data) => <SlaForm policies={data} />}</Loaded>
}

const SlaForm = ({ policies }: { policies: SlaPolicies }) => {
  const offerUndo = useUndo('sla')
  const state = useRecordForm({
    live: policies,
    resource: 'sla',
    toValues: ({ version, targets, ...values }) => ({ ...structuredClone(values), targets: typedTargets(targets) }),
    validate: {
      targets: ofEach(() => ({ firstReplyMinutes: hoursRule, resolutionMinutes: hoursRule })),
      holidays: (days: string[]) => (days.every((day) => DAY.test(day)) ? null : say('settings.sla.holidays_format')),
    },
    save: ({ targets, holidays, ...values }, { version }) =>
      setSla({ ...values, targets: toTargets(targets), holidays: [...holidays].sort() }, version),
    onSaved: (_saved, _over, undo) => offerUndo(say('settings.sla.done'), undo),
  })
  const field = state.form.getInputProps
  return (
    <Section title={say('settings.sla.title')} description={say('settings.sla.about')}>
      <PageForm state={state} submitLabel={say('settings.sla.submit')}>
        <TargetsTable bindField={(path, options) => field(`targets.${path}`, options)} />
        <Stack gap="md">
          <TimeZoneSelect {...field('timeZone')} />
          <HoursField {...field('hours')} />
          <TagsInput
            label={say('settings.sla.holidays')}
            description={say('settings.sla.holidays_hint')}
            splitChars={[',', ' ']}
            {...field('holidays')}
          />
        </Stack>
      </PageForm>
    </Section>
  )
}

type TargetsTableProps = {
  /** Binds a field of the targets, such as `low.firstReplyMinutes`. */
  bindField: (path: `${string}.${keyof TypedTarget}`, options?: { type: 'checkbox' }) => GetInputPropsReturnType
}

/** Asks how fast tickets of each priority are answered and resolved. */
const TargetsTable = ({ bindField }: TargetsTableProps) => (
  <Table.ScrollContainer minWidth={460}>
    <Table aria-label={say('settings.sla.targets.label')} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{say('settings.sla.targets.priority')}</Table.Th>
          <Table.Th>{say('settings.sla.targets.first_reply')}</Table.Th>
          <Table.Th>{say('settings.sla.targets.resolution')}</Table.Th>
          <Table.Th>{say('settings.sla.targets.always')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {PRIORITIES.map(({ value: priority, label }) => (
          <Table.Tr key={priority}>
            <Table.Td>{label}</Table.Td>
            <Table.Td>
              <Hours
                label={say('settings.sla.target.first_reply', { priority: label })}
                {...bindField(`${priority}.firstReplyMinutes`)}
              />
            </Table.Td>
            <Table.Td>
              <Hours
                label={say('settings.sla.target.resolution', { priority: label })}
                {...bindField(`${priority}.resolutionMinutes`)}
              />
            </Table.Td>
            <Table.Td>
              <Checkbox
                aria-label={say('settings.sla.target.always', { priority: label })}
                {...bindField(`${priority}.roundTheClock`, { type: 'checkbox' })}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

const Hours = ({ label, ...field }: TextInputProps & { label: string }) => (
  <TextInput aria-label={label} w={110} inputMode="decimal" autoComplete="off" {...field} />
)

import { Checkbox, SimpleGrid, Text } from '@mantine/core'
import { say } from '../../../src/words/say.ts'
import { DateField } from '../../components/date-field.tsx'
import { FormModal } from '../../components/form-modal.tsx'
import { notify } from '../../lib/notify.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { AFTER_RUN, startRun } from './affiliates.api.ts'

/** The day after one, both as `2026-01-31`: the API's period ends before its last day. */
export const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

/** The first and the last day of the month before today. */
function lastMonth(): { from: string; to: string } {
  const now = new Date()
  const iso = (date: Date): string => date.toISOString().slice(0, 10)
  return {
    from: iso(new Date(Date.UTC(now.getFullYear(), now.getMonth() - 1, 1))),
    to: iso(new Date(Date.UTC(now.getFullYear(), now.getMonth(), 0))),
  }
}

/** Computes what was earned in some days; a dry run first, unless said otherwise. */
export const RunForm = ({ onClose, from, to }: { onClose: () => void; from?: string; to?: string }) => {
  const refresh = useRefresh()
  const month = lastMonth()
  const state = useApiForm({
    initialValues: { from: from ?? month.from, to: to ?? month.to, dryRun: from === undefined },
    validate: { from: required(say('affiliates.run.day_rule')), to: required(say('affiliates.run.day_rule')) },
    submit: (values) => startRun({ from: values.from, to: dayAfter(values.to), dryRun: values.dryRun }),
    onDone: () => {
      notify(say('affiliates.run.started'))
      void refresh(...AFTER_RUN)
      onClose()
    },
  })
  const field = state.form.getInputProps
  return (
    <FormModal
      state={state}
      title={say('affiliates.run.new')}
      submitLabel={say('affiliates.run.start')}
      opened
      onClose={onClose}
    >
      <SimpleGrid cols={2} spacing="sm">
        <DateField label={say('affiliates.run.first_day')} {...field('from')} />
        <DateField label={say('affiliates.run.last_day')} {...field('to')} />
      </SimpleGrid>
      <Checkbox
        label={say('affiliates.run.dry')}
        description={say('affiliates.run.dry_help')}
        {...state.form.getInputProps('dryRun', { type: 'checkbox' })}
      />
      <Text size="sm" c="dimmed">
        {say('affiliates.run.help')}
      </Text>
    </FormModal>
  )
}

import { Checkbox, SimpleGrid, Text } from '@mantine/core'
import { DateField } from '../../../components/forms/date-field.tsx'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import { neededDay, shiftDay } from '../../../lib/text/day-text.ts'
import { startRun } from './affiliates.api.ts'
import { say } from './words.ts'

/** The first and the last day of the month before today. */
function lastMonth(): { from: string; to: string } {
  const now = new Date()
  const iso = (date: Date): string => date.toISOString().slice(0, 10)
  return {
    from: iso(new Date(Date.UTC(now.getFullYear(), now.getMonth() - 1, 1))),
    to: iso(new Date(Date.UTC(now.getFullYear(), now.getMonth(), 0))),
  }
}

/** The form that starts a commission run for a period: a dry run, unless the caller gives the period. */
export const RunForm = ({ onClose, from, to }: { onClose: () => void; from?: string; to?: string }) => {
  const month = lastMonth()
  const { form, field, dialog } = useDialogForm({
    initialValues: { from: from ?? month.from, to: to ?? month.to, dryRun: from === undefined },
    validate: { from: neededDay(say('affiliates.run.day_rule')), to: neededDay(say('affiliates.run.day_rule')) },
    submit: (values) => startRun({ from: values.from, to: shiftDay(values.to, 1), dryRun: values.dryRun }),
    done: say('affiliates.run.started'),
    reads: 'runs',
    onClose,
  })
  return (
    <FormModal {...dialog} title={say('affiliates.run.new')} submitLabel={say('affiliates.run.start')}>
      <SimpleGrid cols={2} spacing="sm">
        <DateField label={say('affiliates.run.first_day')} data-autofocus {...field('from')} />
        <DateField label={say('affiliates.run.last_day')} {...field('to')} />
      </SimpleGrid>
      <Checkbox
        label={say('affiliates.run.dry')}
        description={say('affiliates.run.dry_help')}
        {...form.getInputProps('dryRun', { type: 'checkbox' })}
      />
      <Text size="sm" c="dimmed">
        {say('affiliates.run.help')}
      </Text>
    </FormModal>
  )
}

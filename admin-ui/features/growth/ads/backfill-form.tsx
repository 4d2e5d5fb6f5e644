import { TextInput } from '@mantine/core'
import { DateField } from '../../../components/forms/date-field.tsx'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import { neededDay } from '../../../lib/text/day-text.ts'
import { startOfDay, toDay } from '../../../lib/text/zone.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { type Connection, startBackfill } from './ads.api.ts'
import { say } from './words.ts'

const DAY = 86_400_000
const KEPT_DAYS = 90
const USUAL_DAYS = 30

/** Returns the day that many days ago in the firm's time zone, as the value of a date field. */
const daysAgo = (days: number): string => toDay(new Date(Date.now() - days * DAY))

/**
 * Returns when a day starts in the firm's time zone, or the earliest moment that the platform keeps if that is later.
 */
const toStartTime = (day: string): string =>
  new Date(Math.max(startOfDay(day).getTime(), Date.now() - KEPT_DAYS * DAY)).toISOString()

const missingDay = neededDay(say('ads.backfill.day_missing'))

const badDay = (day: string): string | null => {
  const missing = missingDay(day)
  if (missing) return missing
  if (day < daysAgo(KEPT_DAYS)) return say('ads.backfill.day_too_old')
  return day > daysAgo(0) ? say('ads.backfill.day_future') : null
}

/** Asks for the older leads of one form. */
export const BackfillForm = ({ connection, onClose }: { connection: Connection; onClose: () => void }) => {
  const { field, dialog } = useDialogForm({
    initialValues: { formId: '', since: daysAgo(USUAL_DAYS) },
    validate: { formId: required(say('ads.backfill.form_missing')), since: badDay },
    submit: ({ formId, since }) =>
      startBackfill({ connectionId: connection.id, formId: formId.trim(), since: toStartTime(since) }),
    done: say('ads.backfill.started'),
    reads: 'ads',
    onClose,
  })
  return (
    <FormModal {...dialog} title={say('ads.backfill.start')} submitLabel={say('ads.backfill.submit')}>
      <TextInput
        label={say('ads.backfill.form_label')}
        description={say('ads.backfill.form_hint')}
        data-autofocus
        {...field('formId')}
      />
      <DateField
        label={say('ads.backfill.since_label')}
        description={say('ads.backfill.since_hint')}
        min={daysAgo(KEPT_DAYS)}
        {...field('since')}
      />
    </FormModal>
  )
}

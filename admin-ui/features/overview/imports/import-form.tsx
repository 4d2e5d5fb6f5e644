import { Alert, Button, Checkbox, FileInput, Group, Modal, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { ColumnMapping } from '../../../components/forms/column-mapping.tsx'
import { useDiscardGuard } from '../../../components/forms/discard-guard.tsx'
import { FormNotice } from '../../../components/forms/form-modal.tsx'
import { ReadAs } from '../../../components/show/csv-preview.tsx'
import { useUnanswered } from '../../../lib/api/pending-acts.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useClickGuard } from '../../../lib/screen/click-guard.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { usePlatformOptions } from '../../books/accounts/account-words.ts'
import { FIELD_LABELS, FIELDS } from './import-words.tsx'
import { type Import, type ImportField, sendImport } from './imports.api.ts'
import { keepFile } from './kept-file.ts'
import { type ImportFile, useImportFile } from './use-import-file.ts'
import { say } from './words.ts'

const DATES = [
  { value: 'day_first' as const, label: say('movein.dates.day_first') },
  { value: 'month_first' as const, label: say('movein.dates.month_first') },
]
const DECIMALS = [
  { value: 'comma' as const, label: say('movein.decimals.comma') },
  { value: 'point' as const, label: say('movein.decimals.point') },
]
const isField = (value: string): value is ImportField => value in FIELD_LABELS

/** Returns the name of a part of the request by its path. */
const findFieldName = (path: string): string | undefined => {
  const [part = '', ...rest] = path.split('.')
  const inside = rest.join('.')
  if (part === 'csv' || part === 'fileName') return say('movein.file')
  if (part === 'mapping') return inside || say('movein.columns')
  if (part === 'controlTotals') return say('movein.total_of', { currency: inside })
  if (part === 'headLine') return say('movein.head_line')
  if (part === 'currency') return say('movein.currency')
  return part === 'platform' ? say('movein.platform') : undefined
}

type ImportFormProps = {
  /** An earlier check of the same file, whose columns and currencies are taken over. */
  from?: Import
  onClose: () => void
}

/** Chooses and checks a file of clients; a checked file can be imported. */
export const ImportForm = ({ from, onClose }: ImportFormProps) => {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const file = useImportFile(from)
  const unanswered = useUnanswered()
  const run = useMutation({
    mutationFn: (dryRun: boolean) => sendImport(file.request(dryRun)),
    onSuccess: (made) => {
      if (file.chosen) keepFile(made.id, file.chosen)
      void refresh('imports')
      onClose()
      void navigate({ to: '/traders/import/$id', params: { id: made.id } })
    },
    onError: unanswered.note,
  })
  useClickGuard(true)
  const { close, question } = useDiscardGuard({
    opened: true,
    unanswered,
    onClose,
    sending: run.isPending,
    isSending: () => run.isPending,
    isDirty: () => file.chosen !== null && !from,
    actLeaves: true,
  })
  return (
    <>
      <Modal
        opened
        onClose={close}
        title={from ? say('movein.import_title') : say('movein.new')}
        size="lg"
        closeButtonProps={{ 'aria-label': say('common.close'), disabled: run.isPending }}
      >
        <Stack>
          <FileFields of={file} />
          {file.columns.length > 0 && <ColumnFields of={file} />}
          {from && from.balances.length > 0 && <ControlTotals of={file} />}
          {run.isError && <FormNotice error={run.error} conflict={null} findFieldName={findFieldName} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={run.isPending} onClick={close}>
              {say('parts.cancel')}
            </Button>
            <Button
              variant={from ? 'default' : 'filled'}
              disabled={!file.isReady}
              loading={run.isPending}
              onClick={() => run.mutate(true)}
            >
              {from ? say('movein.again') : say('movein.check')}
            </Button>
            {from && (
              <Button disabled={!file.isReady} loading={run.isPending} onClick={() => run.mutate(false)}>
                {say('movein.import')}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
      {question}
    </>
  )
}

type PartProps = { of: ImportFile }

const FileFields = ({ of }: PartProps) => {
  const platforms = usePlatformOptions(undefined)
  return (
    <>
      <FileInput
        label={say('movein.file')}
        description={say('movein.file_about')}
        placeholder={of.chosen?.name ?? say('movein.choose')}
        accept=".csv,.xlsx,text/csv"
        error={of.refused}
        onChange={(chosen) => void of.choose(chosen)}
        data-autofocus
      />
      {of.chosen && <ReadAs file={of.chosen} onChange={of.take} onRefused={of.refuse} />}
      <Select
        label={say('movein.platform')}
        description={say('movein.platform_about')}
        data={platforms}
        clearable
        value={of.platform}
        onChange={of.setPlatform}
      />
      <ReadingFields of={of} />
      <Checkbox
        label={say('movein.skip')}
        checked={of.skipErrors}
        onChange={(event) => of.setSkipErrors(event.currentTarget.checked)}
      />
    </>
  )
}

/** Asks on which line the headings are, and how to read dates and amounts that could be read in two ways. */
const ReadingFields = ({ of }: PartProps) => (
  <>
    {of.records.length > 1 && (
      <Select
        label={say('movein.head_line')}
        description={say('movein.head_line_about')}
        data={of.records.map(({ line, cells }) => ({
          value: String(line),
          label: say('movein.head_line.option', { line, cells: cells.filter(Boolean).join(', ').slice(0, 80) }),
        }))}
        allowDeselect={false}
        value={of.headLine === null ? null : String(of.headLine)}
        onChange={(line) => of.setHeadLine(Number(line))}
      />
    )}
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Select
        label={say('movein.currency')}
        description={say('movein.platform_about')}
        data={CURRENCY_OPTIONS}
        searchable
        clearable
        value={of.reading.currency}
        onChange={(currency) => of.setReading({ ...of.reading, currency })}
      />
      <Select
        label={say('movein.dates')}
        description={say('movein.dates_about')}
        data={DATES}
        clearable
        value={of.reading.dates}
        onChange={(dates) => of.setReading({ ...of.reading, dates })}
      />
      <Select
        label={say('movein.decimals')}
        description={say('movein.decimals_about')}
        data={DECIMALS}
        clearable
        value={of.reading.decimals}
        onChange={(decimals) => of.setReading({ ...of.reading, decimals })}
      />
    </SimpleGrid>
  </>
)

/** Asks which field each column of the file fills, and says when no column identifies a client. */
const ColumnFields = ({ of }: PartProps) => (
  <>
    <div>
      <Text size="sm" fw={600}>
        {say('movein.columns')}
      </Text>
      <Text size="xs" c="dimmed">
        {say('movein.columns_about')}
      </Text>
    </div>
    {!of.hasEmail && (
      <Alert role="status" color="yellow" variant="light">
        {of.hasWho ? say('movein.no_email') : say('movein.nobody')}
      </Alert>
    )}
    {of.leavesBalance && (
      <Alert role="note" variant="light">
        {say('movein.platform_balance')}
      </Alert>
    )}
    <ColumnMapping
      {...{ columns: of.columns, fields: FIELDS, mapping: of.mapping, isField }}
      leftOut={say('movein.columns.left_out')}
      onChange={of.setMapping}
    />
  </>
)

/** Asks for the totals that the opening balances must have by the firm's former books. */
const ControlTotals = ({ of }: PartProps) => (
  <>
    <div>
      <Text size="sm" fw={600}>
        {say('movein.totals')}
      </Text>
      <Text size="xs" c="dimmed">
        {say('movein.totals_about')}
      </Text>
    </div>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {Object.entries(of.totals).map(([currency, amount]) => (
        <AmountField
          key={currency}
          label={say('movein.total_of', { currency })}
          currency={currency}
          value={amount}
          onChange={(next) => of.setTotals({ ...of.totals, [currency]: next })}
        />
      ))}
    </SimpleGrid>
  </>
)

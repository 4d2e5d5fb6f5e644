import { Button, Checkbox, FileInput, Group, Modal, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AmountField } from '../../components/amount-field.tsx'
import { ColumnMapping } from '../../components/column-mapping.tsx'
import { useDiscardGuard } from '../../components/discard-guard.tsx'
import { FormNotice } from '../../components/form-modal.tsx'
import { useClickGuard } from '../../lib/click-guard.ts'
import { csvText } from '../../lib/csv-text.ts'
import { useUnanswered } from '../../lib/unanswered.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { usePlatformOptions } from '../accounts/account-words.ts'
import { FIELD_LABELS, FIELDS } from './import-words.tsx'
import { bringFile, type Import, type ImportField, type NewImport } from './imports.api.ts'
import { keepFile, keptFile } from './kept-file.ts'
import { say } from './words.ts'

const MOST_CHARACTERS = 60_000_000
const isField = (value: string): value is ImportField => value in FIELD_LABELS

type Chosen = { name: string; csv: string }

/** What was chosen of a file, beginning with what it was checked with before. */
function useFile(from: Import | undefined) {
  const [chosen, setChosen] = useState<Chosen | null>(from ? keptFile(from.id) : null)
  const [refused, setRefused] = useState<string | null>(null)
  const [platform, setPlatform] = useState<string | null>(from?.platform ?? null)
  const [mapping, setMapping] = useState<Record<string, ImportField>>(from?.mapping ?? {})
  const [totals, setTotals] = useState<Record<string, string>>(
    Object.fromEntries((from?.balances ?? []).map(({ currency, control }) => [currency, control ?? ''])),
  )
  const [skipErrors, setSkipErrors] = useState(from?.skipErrors ?? false)
  const choose = async (file: File | null): Promise<void> => {
    setChosen(null)
    if (!file) return
    const csv = csvText(await file.arrayBuffer())
    setRefused(csv.length > MOST_CHARACTERS ? say('movein.too_large') : null)
    if (csv.length <= MOST_CHARACTERS) setChosen({ name: file.name, csv })
  }
  const request = (dryRun: boolean): NewImport => ({
    csv: chosen?.csv ?? '',
    fileName: chosen?.name ?? '',
    dryRun,
    skipErrors,
    ...(platform !== null && { platform }),
    ...(from && { mapping }),
    controlTotals: Object.fromEntries(Object.entries(totals).filter(([, amount]) => amount !== '')),
  })
  return {
    ...{ chosen, refused, choose, platform, setPlatform, mapping, setMapping },
    ...{ totals, setTotals, skipErrors, setSkipErrors, request },
  }
}

type ImportFormProps = {
  /** The same file as it was checked before: its columns and currencies are known then. */
  from?: Import
  onClose: () => void
}

/** A file of clients: choose it and check it; what was checked can be imported. */
export const ImportForm = ({ from, onClose }: ImportFormProps) => {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const file = useFile(from)
  const unanswered = useUnanswered()
  const run = useMutation({
    mutationFn: (dryRun: boolean) => bringFile(file.request(dryRun)),
    onSuccess: (made) => {
      if (file.chosen) keepFile(made.id, file.chosen.name, file.chosen.csv)
      void refresh('imports')
      onClose()
      void navigate({ to: '/traders/import/$id', params: { id: made.id } })
    },
    onError: unanswered.note,
  })
  useClickGuard(true)
  const { close, question } = useDiscardGuard({
    ...{ opened: true, unanswered, onClose, sending: run.isPending, isSending: () => run.isPending },
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
          {from && <Meaning of={file} columns={from.columns} />}
          {from && from.balances.length > 0 && <ControlTotals of={file} />}
          {run.isError && <FormNotice error={run.error} conflict={null} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={run.isPending} onClick={close}>
              {say('parts.cancel')}
            </Button>
            <Button
              variant={from ? 'default' : 'filled'}
              disabled={!file.chosen}
              loading={run.isPending}
              onClick={() => run.mutate(true)}
            >
              {from ? say('movein.again') : say('movein.check')}
            </Button>
            {from && (
              <Button disabled={!file.chosen} loading={run.isPending} onClick={() => run.mutate(false)}>
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

type PartProps = { of: ReturnType<typeof useFile> }

const FileFields = ({ of }: PartProps) => {
  const platforms = usePlatformOptions(undefined)
  return (
    <>
      <FileInput
        label={say('movein.file')}
        description={say('movein.file_about')}
        placeholder={of.chosen?.name ?? say('movein.choose')}
        accept=".csv,text/csv"
        error={of.refused}
        onChange={(chosen) => void of.choose(chosen)}
        data-autofocus
      />
      <Select
        label={say('movein.platform')}
        description={say('movein.platform_about')}
        data={platforms}
        clearable
        value={of.platform}
        onChange={of.setPlatform}
      />
      <Checkbox
        label={say('movein.skip')}
        checked={of.skipErrors}
        onChange={(event) => of.setSkipErrors(event.currentTarget.checked)}
      />
    </>
  )
}

/** What each column of the file fills. */
const Meaning = ({ of, columns }: PartProps & { columns: readonly string[] }) => (
  <>
    <div>
      <Text size="sm" fw={600}>
        {say('movein.columns')}
      </Text>
      <Text size="xs" c="dimmed">
        {say('movein.columns_about')}
      </Text>
    </div>
    <ColumnMapping
      {...{ columns, fields: FIELDS, mapping: of.mapping, isField }}
      leftOut={say('movein.left_out')}
      onChange={of.setMapping}
    />
  </>
)

/** What the opening balances must come to, by the books that the firm leaves. */
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

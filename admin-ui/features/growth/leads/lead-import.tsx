import { Button, FileInput, Group, Modal, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ColumnMapping } from '../../../components/forms/column-mapping.tsx'
import { useDiscardGuard } from '../../../components/forms/discard-guard.tsx'
import { FormNotice } from '../../../components/forms/form-modal.tsx'
import { ReadAs } from '../../../components/show/csv-preview.tsx'
import { useUnanswered } from '../../../lib/api/pending-acts.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { findHeadings, namedColumns, readFirstRecords } from '../../../lib/csv/csv-heads.ts'
import { type CsvFile, explainRefusal, readCsvFile } from '../../../lib/csv/csv-text.ts'
import { useClickGuard } from '../../../lib/screen/click-guard.ts'
import { choices } from '../../../lib/text/choices.ts'
import { humanize } from '../../../lib/text/format.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { guessMapping } from './guess-mapping.ts'
import { ImportResult } from './import-result.tsx'
import { type ImportField, importLeads } from './leads.api.ts'
import { say } from './words.ts'

const LABELS: Record<ImportField, string> = {
  email: say('field.email'),
  phone: say('field.phone'),
  firstName: say('field.firstName'),
  lastName: say('field.lastName'),
  country: say('leads.import.country'),
  language: say('field.language'),
  campaign: say('leads.campaign'),
  leadGenId: say('leads.import.lead_gen_id'),
  note: say('common.note'),
  affiliateCode: say('leads.import.code'),
  visitorId: say('leads.import.visitor'),
}
const FIELDS = choices(LABELS)
const isField = (value: string): value is ImportField => value in LABELS
const LIMIT = 1_000_000

type Table = { file: CsvFile; columns: string[] }
type Mapping = Record<string, ImportField>

const findProblem = ({ file, columns }: Table): string | null => {
  if (file.text.length > LIMIT) return say('leads.file.too_large')
  return columns.length === 0 ? say('leads.file.empty') : null
}

/** Holds the chosen file, the field that each column fills, and who will own the leads. */
const useTable = () => {
  const [table, setTable] = useState<Table | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const [mapping, setMapping] = useState<Mapping>({})
  const [source, setSource] = useState('')
  const [assignedTo, setAssignedTo] = useState<string | null>(null)
  const take = (file: CsvFile): void => {
    const headings = findHeadings(readFirstRecords(file.text), (cells) => Object.keys(guessMapping(cells)).length)
    const chosen = { file, columns: namedColumns(headings?.cells ?? []) }
    const problem = findProblem(chosen)
    setRefused(problem)
    if (problem) return
    setTable(chosen)
    if (chosen.columns.join('\n') !== table?.columns.join('\n')) setMapping(guessMapping(chosen.columns))
    setSource((now) => now || file.name.replace(/\.\w+$/, ''))
  }
  const refuse = (error: unknown): void => setRefused(explainRefusal(error))
  const choose = async (file: File | null): Promise<void> => {
    setTable(null)
    if (file) await readCsvFile(file).then(take, refuse)
  }
  const isReady = table !== null && source.trim() !== '' && Object.keys(mapping).length > 0
  return {
    table,
    refused,
    mapping,
    setMapping,
    source,
    setSource,
    assignedTo,
    setAssignedTo,
    choose,
    take,
    refuse,
    isReady,
  }
}

/** Imports leads from a file in four steps: choose it, say what its columns are, try it, import it. */
export const ImportLeads = ({ onClose }: { onClose: () => void }) => {
  const refresh = useRefresh()
  const file = useTable()
  const unanswered = useUnanswered()
  const { table, mapping, source, assignedTo } = file
  const run = useMutation({
    mutationFn: (dryRun: boolean) =>
      importLeads({ csv: table?.file.text ?? '', mapping, source: source.trim(), assignedTo, dryRun }),
    onSuccess: (report) => {
      if (!report.dryRun) void refresh('leads')
    },
    onError: unanswered.note,
  })
  const report = run.data
  const imported = report !== undefined && !report.dryRun
  useClickGuard(true)
  const { close, question } = useDiscardGuard({
    opened: true,
    unanswered,
    onClose,
    sending: run.isPending,
    isSending: () => run.isPending,
    isDirty: () => table !== null && !imported,
  })
  return (
    <>
      <Modal
        opened
        onClose={close}
        title={say('leads.import.title')}
        size="lg"
        closeButtonProps={{ 'aria-label': say('common.close'), disabled: run.isPending }}
      >
        <Stack>
          <FileInput
            label={say('leads.file')}
            description={say('leads.file.hint')}
            placeholder={say('leads.file.placeholder')}
            accept=".csv,.xlsx,text/csv"
            error={file.refused}
            disabled={imported}
            onChange={(chosen) => {
              run.reset()
              void file.choose(chosen)
            }}
            data-autofocus
          />
          {table && !imported && <FileFields of={file} table={table} onChange={run.reset} />}
          {run.isError && <FormNotice error={run.error} conflict={null} />}
          {report && (
            <ImportResult report={report} fieldName={(path) => (isField(path) ? LABELS[path] : humanize(path))} />
          )}
          <Acts run={run} isReady={file.isReady} onClose={close} />
        </Stack>
      </Modal>
      {question}
    </>
  )
}

type FileFieldsProps = {
  of: ReturnType<typeof useTable>
  table: Table
  /** Called after each change, because the change makes the result of an earlier try invalid. */
  onChange: () => void
}

/** Asks how to read the file, where its leads come from, who will own them, and what each column holds. */
const FileFields = ({ of, table: { file, columns }, onChange }: FileFieldsProps) => {
  const staff = useStaff()
  const { mapping } = of
  return (
    <>
      <ReadAs
        file={file}
        onRefused={of.refuse}
        onChange={(read) => {
          of.take(read)
          onChange()
        }}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={say('field.source')}
          description={say('leads.import.source_hint')}
          value={of.source}
          onChange={(event) => {
            of.setSource(event.currentTarget.value)
            onChange()
          }}
        />
        <Select
          label={say('leads.import.assign')}
          description={say('leads.import.assign_hint')}
          placeholder={say('leads.nobody')}
          data={staff.options}
          clearable
          value={of.assignedTo}
          onChange={(value) => {
            of.setAssignedTo(value)
            onChange()
          }}
        />
      </SimpleGrid>
      <Text size="sm" fw={600}>
        {say('leads.import.columns')}
      </Text>
      <ColumnMapping
        {...{ columns, fields: FIELDS, mapping, isField }}
        leftOut={say('leads.import.left_out')}
        onChange={(next) => {
          of.setMapping(next)
          onChange()
        }}
      />
    </>
  )
}

type ActsProps = {
  run: UseMutationResult<Awaited<ReturnType<typeof importLeads>>, unknown, boolean>
  isReady: boolean
  onClose: () => void
}

/** Offers to try the file and to import it: only a file whose try would create leads can be imported. */
const Acts = ({ run, isReady, onClose }: ActsProps) => {
  const report = run.data
  const imported = report && !report.dryRun
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" disabled={run.isPending} onClick={onClose}>
        {imported ? say('common.done') : say('parts.cancel')}
      </Button>
      {!imported && (
        <>
          <Button variant="default" disabled={!isReady} loading={run.isPending} onClick={() => run.mutate(true)}>
            {say('leads.import.try')}
          </Button>
          <Button
            disabled={!isReady || !report || report.created === 0}
            loading={run.isPending}
            onClick={() => run.mutate(false)}
          >
            {report ? say('leads.import.submit_count', { created: report.created }) : say('leads.import.submit')}
          </Button>
        </>
      )}
    </Group>
  )
}

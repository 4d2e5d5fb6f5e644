import { Button, FileInput, Group, Modal, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { useDiscardGuard } from '../../components/discard-guard.tsx'
import { FormNotice } from '../../components/form-modal.tsx'
import { choices } from '../../lib/choices.ts'
import { useClickGuard } from '../../lib/click-guard.ts'
import { humanize } from '../../lib/format.ts'
import { useUnanswered } from '../../lib/unanswered.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { useStaff } from '../users/users.api.ts'
import { csvHeader, guessMapping } from './csv-header.ts'
import { csvText } from './csv-text.ts'
import { ImportResult } from './import-result.tsx'
import { type ImportField, importLeads } from './leads.api.ts'

const LABELS: Record<ImportField, string> = {
  email: 'E-mail',
  phone: 'Phone',
  firstName: 'First name',
  lastName: 'Last name',
  country: 'Country (two letters)',
  language: 'Language',
  campaign: 'Campaign',
  leadGenId: 'Id of the lead ad',
  note: 'Note',
  affiliateCode: say('affiliates.import.code'),
  visitorId: say('affiliates.import.visitor'),
}
const FIELDS = choices(LABELS)
const isField = (value: string): value is ImportField => value in LABELS
const LIMIT = 1_000_000

type Table = { name: string; csv: string; columns: string[] }

/** Leads from a file: choose it, say what its columns are, try it, import it. */
export const ImportLeads = ({ onClose }: { onClose: () => void }) => {
  const refresh = useRefresh()
  const staff = useStaff()
  const [table, setTable] = useState<Table | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const [mapping, setMapping] = useState<Record<string, ImportField>>({})
  const [source, setSource] = useState('')
  const [assignedTo, setAssignedTo] = useState<string | null>(null)
  const unanswered = useUnanswered()
  const run = useMutation({
    mutationFn: (dryRun: boolean) =>
      importLeads({ csv: table?.csv ?? '', mapping, source: source.trim(), assignedTo, dryRun }),
    onSuccess: (report) => {
      if (!report.dryRun) void refresh('leads')
    },
    onError: unanswered.note,
  })
  const change = (act: () => void): void => {
    act()
    run.reset()
  }
  const choose = async (file: File | null): Promise<void> => {
    run.reset()
    setTable(null)
    if (!file) return
    const csv = csvText(await file.arrayBuffer())
    const columns = csvHeader(csv)
    const problem =
      csv.length > LIMIT
        ? 'The file is larger than 1 MB; split it.'
        : columns.length === 0
          ? 'The file is empty.'
          : null
    setRefused(problem)
    if (problem) return
    setTable({ name: file.name, csv, columns })
    setMapping(guessMapping(columns))
    setSource((now) => now || file.name.replace(/\.\w+$/, ''))
  }
  const report = run.data
  const ready = table !== null && source.trim() !== '' && Object.keys(mapping).length > 0
  const imported = report && !report.dryRun
  useClickGuard(true)
  const { close, question } = useDiscardGuard({
    opened: true,
    isDirty: () => table !== null && !imported,
    sending: run.isPending,
    isSending: () => run.isPending,
    unanswered,
    onClose,
  })
  return (
    <>
      <Modal
        opened
        onClose={close}
        title="Import leads"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close', disabled: run.isPending }}
      >
        <Stack>
          <FileInput
            label="File"
            description="CSV with the names of the columns in its first line, up to 10,000 rows"
            placeholder="Choose a file"
            accept=".csv,text/csv"
            error={refused}
            disabled={imported === true}
            onChange={(file) => void choose(file)}
            data-autofocus
          />
          {table && !imported && (
            <>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <TextInput
                  label="Source"
                  description="Stamped on each lead, once"
                  value={source}
                  onChange={(event) => change(() => setSource(event.currentTarget.value))}
                />
                <Select
                  label="Assign to"
                  description="Whoever works on them"
                  placeholder="Nobody"
                  data={staff.options}
                  clearable
                  value={assignedTo}
                  onChange={(value) => change(() => setAssignedTo(value))}
                />
              </SimpleGrid>
              <Text size="sm" fw={600}>
                What the columns are
              </Text>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                {table.columns.map((column) => (
                  <Select
                    key={column}
                    label={column}
                    placeholder="Left out"
                    clearable
                    data={FIELDS.filter(
                      ({ value }) =>
                        mapping[column] === value || !Object.values(mapping).some((taken) => taken === value),
                    )}
                    value={mapping[column] ?? null}
                    onChange={(value) =>
                      change(() => {
                        const { [column]: _old, ...rest } = mapping
                        setMapping(value && isField(value) ? { ...rest, [column]: value } : rest)
                      })
                    }
                  />
                ))}
              </SimpleGrid>
            </>
          )}
          {run.isError && <FormNotice error={run.error} conflict={null} />}
          {report && (
            <ImportResult report={report} fieldName={(path) => (isField(path) ? LABELS[path] : humanize(path))} />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={run.isPending} onClick={close}>
              {imported ? 'Done' : 'Cancel'}
            </Button>
            {!imported && (
              <>
                <Button variant="default" disabled={!ready} loading={run.isPending} onClick={() => run.mutate(true)}>
                  Try it
                </Button>
                <Button
                  disabled={!ready || !report || report.created === 0}
                  loading={run.isPending}
                  onClick={() => run.mutate(false)}
                >
                  {report ? `Import ${report.created}` : 'Import'}
                </Button>
              </>
            )}
          </Group>
        </Stack>
      </Modal>
      {question}
    </>
  )
}

import { Alert, Button, Progress, Stack, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../components/confirm.tsx'
import { Figures } from '../../components/figures.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { formatCount } from '../../lib/format.ts'
import { notify } from '../../lib/notify.tsx'
import { useCan, useMe } from '../../lib/session.ts'
import { useRecord, useRefresh } from '../../lib/use-record.ts'
import { useStaff } from '../users/users.api.ts'
import { ImportForm } from './import-form.tsx'
import { ImportState } from './import-words.tsx'
import { confirmImport, fetchImport, type Import, isAtWork, undoImport } from './imports.api.ts'
import { Balances, Mistakes } from './report.tsx'
import { say } from './words.ts'

/** One file: how far it came, its balances beside the control totals, its mistakes, and what can be done with it. */
export const ImportPage = () => {
  const { id } = useParams({ strict: false })
  const record = useRecord('imports', id ?? '', fetchImport, isAtWork)
  return <Loaded query={record}>{(file) => <OneImport file={file} />}</Loaded>
}

const OneImport = ({ file }: { file: Import }) => {
  const { nameOf } = useStaff()
  const { fileName, status, createdBy, confirmedBy } = file
  const people = [
    createdBy && say('movein.brought_by', { name: nameOf(createdBy) ?? '' }),
    confirmedBy && say('movein.confirmed_by', { name: nameOf(confirmedBy) ?? '' }),
  ]
  return (
    <Page
      title={fileName ?? say('movein.title')}
      subtitle={
        <>
          <ImportState status={status} />
          {people.filter(Boolean).map((text) => ` · ${text}`)}
        </>
      }
      actions={<Acts file={file} />}
    >
      <Stack>
        {isAtWork(file) && <Working file={file} />}
        <Said file={file} />
        <Figures label={say('movein.title')} items={figuresOf(file)} />
        {file.balances.length > 0 && <Balances of={file} />}
        {file.errors.length > 0 && <Mistakes of={file} />}
      </Stack>
    </Page>
  )
}

const figuresOf = ({ lines, created, known, accounts, refused }: Import) => [
  { label: say('movein.lines'), value: formatCount(lines) },
  { label: say('movein.created'), value: formatCount(created) },
  { label: say('movein.known'), value: formatCount(known) },
  { label: say('movein.accounts'), value: formatCount(accounts) },
  { label: say('movein.refused'), value: formatCount(refused), isWaiting: refused > 0 },
]

const Working = ({ file: { progress, lines } }: { file: Import }) => (
  <div role="status">
    <Progress value={lines === 0 ? 0 : Math.min(100, (progress / (lines + 1)) * 100)} animated aria-hidden />
    <Text size="xs" c="dimmed" mt={4}>
      {say('movein.progress', { done: Math.min(progress, lines), lines })}
    </Text>
  </div>
)

/** What came of the file in words, where there is something to say. */
const Said = ({ file }: { file: Import }) => {
  const { failure, left, undone, status } = file
  const isOwn = useIsOwn(file)
  return (
    <>
      {status === 'loaded' && isOwn && (
        <Alert role="note" variant="light">
          {say('movein.own')}
        </Alert>
      )}
      {failure && (
        <Alert role="note" color="red" variant="light">
          {failure}
        </Alert>
      )}
      {undone > 0 && (
        <Alert role="note" variant="light">
          {say('movein.undone', { count: undone })}
        </Alert>
      )}
      {left > 0 && (
        <Alert role="note" color="yellow" variant="light">
          {say('movein.left', { count: left })}
        </Alert>
      )}
    </>
  )
}

/** Whether the reader brought the file, and so does not confirm it. */
const useIsOwn = ({ createdBy }: Import): boolean => useMe().id === createdBy

const Acts = ({ file }: { file: Import }) => {
  const can = useCan()
  const refresh = useRefresh()
  const [open, setOpen] = useState<'form' | 'confirm' | 'undo' | null>(null)
  const close = (): void => setOpen(null)
  const act = async (what: (file: Import) => Promise<Import>, told: string): Promise<void> => {
    await what(file)
    notify(told)
    await refresh('imports')
  }
  const isOwn = useIsOwn(file)
  const { status } = file
  return (
    <>
      <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
        {say('movein.print')}
      </Button>
      {can('admin') && (status === 'done' || status === 'loaded') && (
        <Button variant="default" onClick={() => setOpen('undo')}>
          {say('movein.undo')}
        </Button>
      )}
      {can('admin') && (status === 'checked' || status === 'failed') && (
        <Button onClick={() => setOpen('form')}>{say('movein.import')}</Button>
      )}
      {can('admin') && status === 'loaded' && (
        <Button disabled={isOwn} onClick={() => setOpen('confirm')}>
          {say('movein.confirm')}
        </Button>
      )}
      {open === 'form' && <ImportForm from={file} onClose={close} />}
      <Confirm
        title={say('movein.confirm_title')}
        confirmLabel={say('movein.confirm')}
        danger={false}
        opened={open === 'confirm'}
        onClose={close}
        action={() => act(confirmImport, say('movein.confirmed'))}
      >
        {say('movein.confirm_text', { count: file.balances.length })}
      </Confirm>
      <Confirm
        title={say('movein.undo')}
        confirmLabel={say('movein.undo')}
        opened={open === 'undo'}
        onClose={close}
        action={() => act(undoImport, say('movein.undoing'))}
      >
        {say('movein.undo_text')}
      </Confirm>
    </>
  )
}

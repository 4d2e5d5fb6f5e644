import { Alert, Progress, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Page } from '../../../components/page/page.tsx'
import { KeyFigures } from '../../../components/show/key-figures.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRecord } from '../../../lib/api/use-record.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { Acts, useIsOwn } from './import-acts.tsx'
import { ImportState } from './import-words.tsx'
import { fetchImport, type Import, isAtWork } from './imports.api.ts'
import { Balances, Faults } from './report.tsx'
import { say } from './words.ts'

/** Shows the progress of a file, its balances beside the control totals and its mistakes, and offers the acts on it. */
export const ImportPage = () => {
  const { id } = useParams({ strict: false })
  const record = useRecord('imports', id ?? '', fetchImport, isAtWork)
  return <Loaded query={record}>{(file) => <OneImport file={file} />}</Loaded>
}

const OneImport = ({ file }: { file: Import }) => {
  const { findStaffName } = useStaff()
  const { fileName, status, createdBy, confirmedBy } = file
  const people = [
    createdBy && say('movein.created_by', { name: findStaffName(createdBy, file.createdAt) ?? '' }),
    confirmedBy && say('movein.confirmed.by', { name: findStaffName(confirmedBy, file.confirmedAt) ?? '' }),
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
        <Outcome file={file} />
        <KeyFigures label={say('movein.title')} items={buildFigures(file)} />
        {file.balances.length > 0 && <Balances of={file} />}
        {file.errors.length > 0 && <Faults of={file} kind="errors" />}
        {file.notes.length > 0 && <Faults of={file} kind="notes" />}
      </Stack>
    </Page>
  )
}

const buildFigures = ({ lines, created, known, accounts, refused }: Import) => [
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

/** Says how the import of the file ended, if there is something to say. */
const Outcome = ({ file }: { file: Import }) => {
  const { failure, left, undone, status } = file
  const isOwn = useIsOwn(file)
  const can = useCan()
  const waits = status === 'loaded' && can('admin')
  return (
    <>
      {waits && (isOwn || file.balances.length > 0) && (
        <Alert role="note" variant="light">
          {isOwn ? say('movein.own') : say('movein.look_first')}
        </Alert>
      )}
      {failure && (
        <Alert role="note" color={status === 'done' ? 'yellow' : 'red'} variant="light">
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

import { Anchor, Button, Text } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan, useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { savesBalances } from './import-files.ts'
import { ImportForm } from './import-form.tsx'
import { confirmImport, type Import, type ImportStatus, stopImport, undoImport } from './imports.api.ts'
import { say, tell } from './words.ts'

/** Returns whether the reader uploaded the file, and therefore cannot confirm it. */
export const useIsOwn = ({ createdBy }: Import): boolean => useMe().id === createdBy

/** Each text says what a stop does while the file is in that status. */
const STOPS: Partial<Record<ImportStatus, string>> = {
  receiving: say('movein.stop_checking'),
  checking: say('movein.stop_checking'),
  loading: say('movein.stop_loading'),
  posting: say('movein.stop_posting'),
}

type Open = 'form' | 'confirm' | 'undo' | null

/** Offers the acts on a file that its status allows. */
export const Acts = ({ file }: { file: Import }) => {
  const can = useCan()
  const [open, setOpen] = useState<Open>(null)
  const close = (): void => setOpen(null)
  return (
    <>
      <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
        {say('movein.print')}
      </Button>
      {can('admin') && <Buttons file={file} onOpen={setOpen} />}
      {open === 'form' && <ImportForm from={file} onClose={close} />}
      <ConfirmBalances file={file} opened={open === 'confirm'} onClose={close} />
      <TakeBack file={file} opened={open === 'undo'} onClose={close} />
    </>
  )
}

const Buttons = ({ file, onOpen }: { file: Import; onOpen: (open: Open) => void }) => {
  const isOwn = useIsOwn(file)
  const { status } = file
  const isStopped = status in STOPS
  return (
    <>
      {(isStopped || status === 'done' || status === 'loaded') && (
        <Button variant="default" onClick={() => onOpen('undo')}>
          {isStopped ? say('movein.stop') : say('movein.undo')}
        </Button>
      )}
      {(status === 'checked' || status === 'failed') && (
        <Button onClick={() => onOpen('form')}>{say('movein.import')}</Button>
      )}
      {status === 'loaded' && (
        <>
          {file.balances.length > 0 && (
            <Button component="a" variant="default" {...savesBalances(file)} leftSection={<IconDownload size={16} />}>
              {say('movein.balances_file')}
            </Button>
          )}
          <Button disabled={isOwn} onClick={() => onOpen('confirm')}>
            {say('movein.confirm')}
          </Button>
        </>
      )}
    </>
  )
}

type QuestionProps = { file: Import; opened: boolean; onClose: () => void }

/** Asks a second person to confirm, with a link to the file of what each client is credited. */
const ConfirmBalances = ({ file, opened, onClose }: QuestionProps) => {
  const refresh = useRefresh()
  const link = (
    <Anchor {...savesBalances(file)} size="sm" underline="always">
      {say('movein.balances_file')}
    </Anchor>
  )
  return (
    <Confirm
      title={say('movein.confirm_title')}
      confirmLabel={say('movein.confirm')}
      danger={false}
      opened={opened}
      onClose={onClose}
      action={async () => {
        await confirmImport(file)
        notify(say('movein.confirmed'))
        await refresh('imports')
      }}
    >
      <Text size="sm">{say('movein.confirm_text', { count: file.balances.length })}</Text>
      {file.balances.length > 0 && (
        <Text size="sm" mt="xs">
          {tell('movein.confirm_look', { link })}
        </Text>
      )}
    </Confirm>
  )
}

/** Asks before an import is taken back, or before one at work is stopped, and says what the stop does. */
const TakeBack = ({ file, opened, onClose }: QuestionProps) => {
  const refresh = useRefresh()
  const stop = STOPS[file.status]
  return (
    <Confirm
      title={stop ? say('movein.stop_title') : say('movein.undo')}
      confirmLabel={stop ? say('movein.stop_title') : say('movein.undo')}
      opened={opened}
      onClose={onClose}
      action={async () => {
        // The version of an import at work changes all the time, so a stop is sent without one.
        const { status } = await (stop ? stopImport(file) : undoImport(file))
        notify(status === 'failed' ? say('movein.stopped') : say('movein.undoing'))
        await refresh('imports')
      }}
    >
      {stop ?? say('movein.undo_text')}
    </Confirm>
  )
}

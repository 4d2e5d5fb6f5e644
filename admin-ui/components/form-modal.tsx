import { Alert, Button, Drawer, Group, Modal, Stack } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ApiForm } from '../lib/use-api-form.ts'
import { useDiscardGuard } from './discard-guard.tsx'
import { errorText } from './error-state.tsx'

type FormBodyProps<V extends Record<string, unknown>> = {
  state: ApiForm<V>
  submitLabel: string
  children: ReactNode
  onCancel?: () => void
  /** Reads the record again; offered when somebody else changed it meanwhile. */
  onReload?: () => void
  /** What a colleague changed beside what was typed, to be merged; drawn when the record changed meanwhile. */
  merge?: ReactNode
  danger?: boolean
  /** One wide button, for the pages before sign-in. */
  fullWidth?: boolean
}

type FormOverlayProps<V extends Record<string, unknown>> = FormBodyProps<V> & {
  title: string
  opened: boolean
  onClose: () => void
  size?: string
}

/** What a form could not place on a field: a refused call, or a record that changed under the reader. */
export const FormNotice = ({
  error,
  conflict,
  onReload,
  merge,
}: {
  error: unknown
  conflict: unknown
  onReload?: (() => void) | undefined
  merge?: ReactNode
}) => {
  if (conflict) {
    return (
      <Alert color="yellow" variant="light" className="notice" title="This changed while you were working" role="alert">
        <Stack gap="xs" align={merge ? 'stretch' : 'flex-start'}>
          {merge ?? errorText(conflict)}
          {onReload && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} />}
              onClick={onReload}
              style={{ alignSelf: 'flex-start' }}
            >
              Load the current version
            </Button>
          )}
        </Stack>
      </Alert>
    )
  }
  if (!error) return null
  return (
    <Alert color="red" variant="light" role="alert">
      {errorText(error)}
    </Alert>
  )
}

/** A form's fields, its notice and its buttons, in the page itself. */
export const FormBody = <V extends Record<string, unknown>>({
  state,
  submitLabel,
  children,
  onCancel,
  onReload,
  merge,
  danger = false,
  fullWidth = false,
}: FormBodyProps<V>) => (
  <form onSubmit={state.onSubmit} noValidate>
    <Stack>
      {children}
      <FormNotice error={state.error} conflict={state.conflict} onReload={onReload} merge={merge} />
      <Group justify={onCancel ? 'flex-end' : 'flex-start'} gap="xs" mt={4}>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" fullWidth={fullWidth} loading={state.pending} {...(danger && { color: 'red' })}>
          {submitLabel}
        </Button>
      </Group>
    </Stack>
  </form>
)

/** A short form in a dialog. */
export const FormModal = <V extends Record<string, unknown>>({
  title,
  opened,
  onClose,
  size = 'md',
  ...body
}: FormOverlayProps<V>) => {
  const { close, question } = useDiscardGuard(() => opened && body.state.isDirty(), onClose)
  return (
    <>
      <Modal opened={opened} onClose={close} title={title} size={size}>
        <FormBody {...body} onCancel={close} />
      </Modal>
      {question}
    </>
  )
}

/** A longer form beside the page it belongs to. */
export const FormDrawer = <V extends Record<string, unknown>>({
  title,
  opened,
  onClose,
  size = 'md',
  ...body
}: FormOverlayProps<V>) => {
  const { close, question } = useDiscardGuard(() => opened && body.state.isDirty(), onClose)
  return (
    <>
      <Drawer opened={opened} onClose={close} title={title} size={size}>
        <FormBody {...body} onCancel={close} />
      </Drawer>
      {question}
    </>
  )
}

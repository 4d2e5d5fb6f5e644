import { Alert, Button, Group, List, Modal, Stack } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isApiError } from '../../lib/api/http.ts'
import { sendByKey } from '../../lib/forms/send-by-key.ts'
import { type ApiForm, fieldPath, formatMessage } from '../../lib/forms/use-api-form.ts'
import type { RecordForm } from '../../lib/forms/use-record-form.ts'
import { useClickGuard } from '../../lib/screen/click-guard.ts'
import { WIDE_DRAWER } from '../../lib/screen/drawer-widths.ts'
import { humanize } from '../../lib/text/format.ts'
import { say } from '../../lib/text/words.ts'
import { errorText } from '../page/error-state.tsx'
import { RecordDrawer } from '../page/record-drawer.tsx'
import { useDiscardGuard, useFormGuard } from './discard-guard.tsx'

/** The key of the mutation that saves a merged version; the form's own submission has none. */
export const MERGES = { mutationKey: ['merge'] } as const

type FormBodyProps<V extends Record<string, unknown>> = {
  state: ApiForm<V>
  submitLabel: string
  children: ReactNode
  onCancel?: () => void
  /** The label of the closing button, if “Cancel” could be taken for the action itself. */
  closeLabel?: string
  /** Whether another request of this form is on its way. */
  held?: boolean
  /** Reads the record again; the form offers this if a colleague changed the record meanwhile. */
  onReload?: () => void
  /** The table that merges a colleague's changes; it is drawn if the record changed meanwhile. */
  merge?: ReactNode
  danger?: boolean
  /** Whether it cannot be sent as it is, which the form explains. */
  isBarred?: boolean
  /** Draws one wide button, for the pages before sign-in. */
  fullWidth?: boolean
}

type FormOverlayProps<V extends Record<string, unknown>> = FormBodyProps<V> & {
  title: string
  opened: boolean
  onClose: () => void
}

/** At most this many faults are shown: if hundreds of parts are wrong, the first ones show the mistake. */
const FAULTS_TOLD = 10

/** Returns a readable name of a part of a request, made of its path, such as `controlTotals.EUR`. */
const plainName = (path: string): string =>
  humanize(path.replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`))

type FindFieldName = (path: string) => string | undefined

/** Shows a refusal, with the error of each part of the request that it names. */
const Refusal = ({
  error,
  findFieldName = plainName,
}: {
  error: unknown
  findFieldName?: FindFieldName | undefined
}) => {
  const faults = (isApiError(error) && error.problem.errors) || []
  return (
    <>
      {errorText(error)}
      {faults.length > 0 && (
        <List size="sm" mt={4}>
          {faults.slice(0, FAULTS_TOLD).map(({ path, message }) => {
            const field = findFieldName(fieldPath(path)) ?? plainName(fieldPath(path))
            const fault = formatMessage(message)
            return (
              <List.Item key={`${path} ${message}`}>
                {field ? say('parts.form.fault_of', { field, fault }) : fault}
              </List.Item>
            )
          })}
        </List>
      )}
    </>
  )
}

type FormNoticeProps = {
  /** The error that no input of the form shows. */
  error: unknown
  conflict: unknown
  onReload?: (() => void) | undefined
  merge?: ReactNode
  /** Returns the name of a part of the request for people, by its path. */
  findFieldName?: FindFieldName
}

/** Shows what a form could not show at a field: a refused call, or a record that changed meanwhile. */
export const FormNotice = ({ error, conflict, onReload, merge, findFieldName }: FormNoticeProps) => {
  if (conflict) {
    return (
      <Alert color="yellow" variant="light" title={say('parts.merge.title')} role="alert">
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
              {say('parts.merge.load')}
            </Button>
          )}
        </Stack>
      </Alert>
    )
  }
  if (!error) return null
  return (
    <Alert color="red" variant="light" role="alert">
      <Refusal error={error} findFieldName={findFieldName} />
    </Alert>
  )
}

/** Draws a form's fields, its notice and its buttons in the page itself. */
export const FormBody = <V extends Record<string, unknown>>({
  state,
  submitLabel,
  children,
  onCancel,
  closeLabel = say('parts.cancel'),
  held = false,
  onReload,
  merge,
  danger = false,
  fullWidth = false,
  isBarred = false,
}: FormBodyProps<V>) => (
  <form onSubmit={state.onSubmit} onKeyDown={sendByKey} noValidate className="form">
    <Stack className="form-fields">
      {children}
      <FormNotice error={state.error} conflict={state.conflict} onReload={onReload} merge={merge} />
      <Group justify={onCancel ? 'flex-end' : 'flex-start'} gap="xs" className="form-foot">
        {onCancel && (
          <Button variant="default" disabled={state.pending || held} onClick={onCancel}>
            {closeLabel}
          </Button>
        )}
        <Button
          type="submit"
          fullWidth={fullWidth}
          loading={state.pending}
          disabled={isBarred}
          {...(danger && { color: 'red' })}
        >
          {submitLabel}
        </Button>
      </Group>
    </Stack>
  </form>
)

type PageFormProps<V extends Record<string, unknown>> = {
  state: RecordForm<V>
  submitLabel: string
  children: ReactNode
}

/** A form that stays on its page: leaving the page, or its tab, asks first if something was typed. */
export const PageForm = <V extends Record<string, unknown>>({ state, ...rest }: PageFormProps<V>) => {
  const { close, question } = useFormGuard(state, state.reload)
  return (
    <>
      <FormBody state={state} onReload={close} {...rest} />
      {question}
    </>
  )
}

/** Returns what forms in a dialog and in a drawer share: how they are closed, and the question that is asked first. */
const useFormOverlay = <V extends Record<string, unknown>>({
  state,
  opened,
  onClose,
  onReload,
}: Pick<FormOverlayProps<V>, 'state' | 'opened' | 'onClose' | 'onReload'>) => {
  const client = useQueryClient()
  const merging = useIsMutating(MERGES) > 0
  const sending = state.pending || merging
  useClickGuard(opened)
  const { close, guard, question } = useDiscardGuard({
    opened,
    isDirty: state.isDirty,
    sending,
    unanswered: state.unanswered,
    isSending: () => state.isSending() || client.isMutating(MERGES) > 0,
    stopsOnLeave: state.stopsOnLeave,
    onClose,
  })
  return {
    question,
    body: { onCancel: close, held: sending, ...(onReload && { onReload: () => guard(onReload) }) },
    overlay: { opened, onClose: close, closeButtonProps: { 'aria-label': say('common.close'), disabled: sending } },
  }
}

/** A short form in a dialog. */
export const FormModal = <V extends Record<string, unknown>>({
  title,
  opened,
  onClose,
  size = 'md',
  ...rest
}: FormOverlayProps<V> & { size?: string }) => {
  const { overlay, body, question } = useFormOverlay({ ...rest, opened, onClose })
  return (
    <>
      <Modal {...overlay} title={title} size={size}>
        <FormBody {...rest} {...body} />
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
  wide = false,
  ...rest
}: FormOverlayProps<V> & {
  /** Whether it contains a table. */
  wide?: boolean
}) => {
  const { overlay, body, question } = useFormOverlay({ ...rest, opened, onClose })
  return (
    <>
      <RecordDrawer {...overlay} title={title} {...(wide && { size: WIDE_DRAWER })}>
        <FormBody {...rest} {...body} />
      </RecordDrawer>
      {question}
    </>
  )
}

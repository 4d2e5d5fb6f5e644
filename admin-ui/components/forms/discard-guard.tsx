import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Unanswered } from '../../lib/api/pending-acts.ts'
import { isPasswordAsked } from '../../lib/api/use-held-requests.ts'
import type { ApiForm } from '../../lib/forms/use-api-form.ts'
import { useBeside } from '../../lib/lists/use-beside.ts'
import { holdEsc } from '../../lib/screen/escape-key.ts'
import { isLettingGo, letAllGo, openGuard, someUnanswered } from '../../lib/screen/open-guards.ts'
import { say } from '../../lib/text/words.ts'

const whatIsLost = (unanswered: boolean): string =>
  unanswered ? say('parts.discard.unanswered') : say('parts.discard.unsaved')

type DiscardGuardInput = {
  opened: boolean
  /** Returns whether the form has typed text that was not sent. */
  isDirty: () => boolean
  /** Whether a request is on its way, as last drawn; `isSending` tells it for this moment. */
  sending: boolean
  isSending: () => boolean
  /** The sent changes that got no answer; they are forgotten when the form closes. */
  unanswered: Unanswered
  /** Whether many rows are sent one after another; leaving the page stops that. */
  stopsOnLeave?: boolean | undefined
  /** Whether the request may open another page when it succeeds; then only Back and Forward are stopped. */
  actLeaves?: boolean
  onClose: () => void
}

type Guard = {
  /** Closes the form, after the question if needed. Call this instead of `onClose`. */
  close: () => void
  /** Runs any other action that drops the typed text, after the same question. */
  guard: (act: () => void) => void
  /** The dialog, drawn beside the form. */
  question: ReactNode
}

/**
 * Keeps a form from being lost: closing it, or leaving its page, asks first if something was typed. A sent request
 * cannot be taken back, so the form stays open until its answer, and whoever leaves the page is warned. Several forms
 * of one page ask once for all.
 */
export const useDiscardGuard = (input: DiscardGuardInput): Guard => {
  const { opened, isDirty, sending, isSending, unanswered, stopsOnLeave, actLeaves = false, onClose } = input
  /** The action that follows once the reader agrees to drop the text. */
  const [asked, setAsked] = useState<(() => void) | null>(null)
  const holds = (): boolean => opened && (isDirty() || isSending())
  const beside = useBeside()?.id ?? null
  const leaving = useLeaving({ opened, holds, actLeaves })
  // The same values that are entered after the form was closed are a new request, and no repetition of the former.
  useEffect(() => (opened ? unanswered.forget : undefined), [opened, unanswered])
  useEffect(() => {
    if (sending) return holdEsc()
  }, [sending])
  useEffect(() => {
    if (opened) return openGuard({ beside, holds, isUnanswered: unanswered.some, ask: (act) => setAsked(() => act) })
  })
  const keep = (): void => {
    setAsked(null)
    leaving.stay()
  }
  const discard = (): void => {
    setAsked(null)
    if (leaving.asks) leaving.leave()
    else asked?.()
  }
  const guard = (act: () => void): void => {
    if (isSending()) return
    if (isDirty()) setAsked(() => act)
    else act()
  }
  const lost = (): string => {
    if (sending) return say(stopsOnLeave ? 'parts.discard.sending_rows' : 'parts.discard.sending')
    return whatIsLost(leaving.asks ? someUnanswered() : unanswered.some())
  }
  return {
    close: () => guard(onClose),
    guard,
    // The dialog is drawn only while it asks: a closed one would also handle the Esc key that opened it.
    question: (asked !== null || (leaving.asks && !isPasswordAsked())) && (
      <DiscardQuestion sending={sending} lost={lost()} onKeep={keep} onDiscard={discard} />
    ),
  }
}

/** Guards a form that is a part of its page. */
export const useFormGuard = <V extends Record<string, unknown>>(state: ApiForm<V>, onClose: () => void): Guard =>
  useDiscardGuard({
    opened: true,
    isDirty: state.isDirty,
    sending: state.pending,
    isSending: state.isSending,
    unanswered: state.unanswered,
    stopsOnLeave: state.stopsOnLeave,
    onClose,
  })

type LeavingInput = { opened: boolean; holds: () => boolean; actLeaves: boolean }

/** Blocks leaving the page while a form has unsent text, and closes the question when it has none any more. */
function useLeaving({ opened, holds, actLeaves }: LeavingInput) {
  const leaving = useBlocker({
    shouldBlockFn: ({ action }) =>
      holds() && !isLettingGo() && !(actLeaves && (action === 'PUSH' || action === 'REPLACE')),
    enableBeforeUnload: holds,
    disabled: !opened,
    withResolver: true,
  })
  const asks = leaving.status === 'blocked'
  // The password dialog would cover this question, so the question is cancelled while that dialog is open.
  useEffect(() => {
    if (asks && isPasswordAsked()) leaving.reset()
  })
  // The request succeeded during the question, so the question ends. After a refusal the form stays.
  useEffect(() => {
    if (!asks || holds()) return
    if (opened) leaving.reset()
    else leaving.proceed()
  })
  // The answer to a request may remove the whole form during the question. Nobody could then answer the question, and
  // the navigation would wait for ever, so it goes on.
  const gone = useRef(leaving.proceed)
  useEffect(() => {
    gone.current = leaving.proceed
  })
  useEffect(() => () => gone.current?.(), [])
  return {
    asks,
    stay: (): void => leaving.reset?.(),
    /** Leaves the page, and with it all unsent text of its forms. */
    leave: (): void => {
      letAllGo()
      leaving.proceed?.()
    },
  }
}

type DiscardQuestionProps = { sending: boolean; lost: string; onKeep: () => void; onDiscard: () => void }

const DiscardQuestion = ({ sending, lost, onKeep, onDiscard }: DiscardQuestionProps) => (
  <Modal
    opened
    onClose={onKeep}
    title={sending ? say('parts.discard.title_sending') : say('parts.discard.title')}
    size="xs"
    zIndex={300}
  >
    <Stack>
      <Text size="sm">{lost}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" color="red" onClick={onDiscard}>
          {sending ? say('parts.discard.leave') : say('parts.discard.submit')}
        </Button>
        <Button onClick={onKeep} data-autofocus>
          {sending ? say('parts.discard.stay') : say('parts.discard.keep')}
        </Button>
      </Group>
    </Stack>
  </Modal>
)

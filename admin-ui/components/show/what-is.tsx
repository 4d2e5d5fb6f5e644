import { ActionIcon } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { type HelpTerm, openHelp } from '../../lib/screen/help.ts'
import { say } from '../../lib/text/words.ts'

/** A small question mark beside a word that decides about money; it opens the help at that word. */
export const WhatIs = ({ term, label }: { term: HelpTerm; label: string }) => (
  <ActionIcon size="xs" className="what-is" aria-label={say('parts.what_is', { label })} onClick={() => openHelp(term)}>
    <IconHelp size={14} stroke={1.7} />
  </ActionIcon>
)

import { type ComboboxItem, Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'

type SearchSelectProps = Omit<SelectProps, 'data'> & {
  /** The server's hits for the text in the field. */
  data: ComboboxItem[]
  text: string
  onText: (text: string) => void
  /** Whether `data` was found for `text`, and not for an earlier text. */
  isReady: boolean
}

/**
 * A choice that the server searches for. The first hit is marked as soon as it arrives, and Enter takes it, even if it
 * was pressed before. Enter never sends the form with a text that has found nothing yet.
 */
export const SearchSelect = ({ data, text, onText, isReady, ...props }: SearchSelectProps) => {
  // The text for which Enter was pressed before its hits arrived.
  const [wanted, setWanted] = useState<string | null>(null)
  // The field shows the label of the chosen hit, which hits for later texts do not have.
  const [label, setLabel] = useState('')
  const isTyping = text.trim() !== '' && (label ? text !== label : !props.value)
  const choose = (...[value, option]: Parameters<NonNullable<SelectProps['onChange']>>): void => {
    setLabel(option?.label ?? '')
    props.onChange?.(value, option)
  }
  const [first] = data
  useEffect(() => {
    if (wanted === null) return
    if (wanted !== text) setWanted(null)
    else if (isReady) {
      setWanted(null)
      if (first) choose(first.value, first)
    }
  })
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Enter' || !isTyping) return
    event.preventDefault()
    if (!isReady) setWanted(text)
  }
  return (
    <Select
      searchable
      // The field has the focus when a form opens. Its list opens with the first letter, so that it does not cover the
      // form.
      openOnFocus={false}
      selectFirstOptionOnChange={isReady}
      data={data}
      searchValue={text}
      onSearchChange={onText}
      // The server has searched already, so the text in the field must not filter the hits again.
      filter={({ options }) => options}
      onKeyDown={onKeyDown}
      {...props}
      onChange={choose}
    />
  )
}

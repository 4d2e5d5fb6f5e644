import { type ComboboxItem, Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'

type SearchSelectProps = Omit<SelectProps, 'data'> & {
  /** What the server found for the text that stands in the field. */
  data: ComboboxItem[]
  text: string
  onText: (text: string) => void
  /** Whether `data` is what was found for `text`, and not for a text before it. */
  isReady: boolean
}

/**
 * A choice that the server searches for. The first hit is marked as soon as it is there, and Enter takes it; pressed
 * before, it takes the first hit when it comes. It never sends the form with words that name nobody yet.
 */
export const SearchSelect = ({ data, text, onText, isReady, ...props }: SearchSelectProps) => {
  // The words for which Enter was pressed before anything was found for them.
  const [wanted, setWanted] = useState<string | null>(null)
  // What was chosen stands in the field by its label, which the hits for later words do not have.
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
      // It has the focus when a form opens; the list comes with the first letter, not over the form.
      openOnFocus={false}
      selectFirstOptionOnChange={isReady}
      data={data}
      searchValue={text}
      onSearchChange={onText}
      // The server has searched already; a chosen label must not filter its own list away.
      filter={({ options }) => options}
      onKeyDown={onKeyDown}
      {...props}
      onChange={choose}
    />
  )
}

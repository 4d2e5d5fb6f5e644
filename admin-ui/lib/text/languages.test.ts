import { expect, test } from 'bun:test'
import { languageChoices, languageName } from './languages.ts'

test('languages have names, and the one that is set is always among them', () => {
  expect(languageName('de')).toBe(new Intl.DisplayNames(undefined, { type: 'language' }).of('de') ?? '')
  expect(languageName('?')).toBe('?')
  const usual = languageChoices()
  expect(languageChoices('en')).toEqual(usual)
  expect(languageChoices('pt-BR')[0]?.value).toBe('pt-BR')
  expect(languageChoices('')).toEqual(usual)
})

test('every code of a language is one that the API accepts', () => {
  for (const { value, label } of languageChoices()) {
    expect(value).toMatch(/^[a-z]{2}$/)
    expect(label).not.toBe(value)
  }
})

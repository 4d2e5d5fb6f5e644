import { countrySpecs, ValidationErrorsIBAN, validateIBAN } from 'ibantools'

/**
 * What a bank reference is: an IBAN that is right, one that is wrong, or something that has no check digits to look at.
 */
type IbanFinding = { state: 'valid' | 'wrong'; country: string } | { state: 'none' }

/** Check digits that a country has of its own inside the account number, and that its banks do not all keep to. */
const NATIONAL = ValidationErrorsIBAN.WrongAccountBankBranchChecksum

/** Looks at a bank reference as an IBAN of the registry: spaces and dashes do not count, nor does case. ISO 13616. */
export function checkIban(reference: string): IbanFinding {
  const plain = reference.replace(/[\s-]/g, '').toUpperCase()
  const country = plain.slice(0, 2)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain) || !countrySpecs[country]?.IBANRegistry) return { state: 'none' }
  const isRight = validateIBAN(plain).errorCodes.every((error) => error === NATIONAL)
  return { state: isRight ? 'valid' : 'wrong', country }
}

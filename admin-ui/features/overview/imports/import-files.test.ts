import { expect, test } from 'bun:test'
import { makeBalancesFile, makeMistakesFile } from './import-files.ts'

test('the files of an import have the words of its page, and one column for a client’s name', () => {
  const mistakes = 'line,column,field,code,message\n4,mail,email,format,must be an e-mail address\n5,,email,x,y\n'
  expect(makeMistakesFile(mistakes)).toBe(
    '\ufeffLine,Column,What is wrong\n4,mail,Must be an e-mail address\n5,E-mail,Y\n',
  )
  const balances =
    'line,clientId,firstName,lastName,email,currency,amount,posted\n2,trd_1,Ana,Lima,a@b.example,EUR,12.50,no\n'
  expect(makeBalancesFile(balances)).toBe(
    '\ufeffLine,Client,E-mail,Opening balance,Currency,Status\n2,Ana Lima,a@b.example,12.50,EUR,To post\n',
  )
})

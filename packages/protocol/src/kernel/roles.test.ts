import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import {
  GENDERS,
  toGender,
  otherRole,
  parseRole,
  toRole,
  roleOfGender,
  ROLES,
  wireRole,
} from './roles.ts'

test('a role and its form on the wire convert into each other', () => {
  deepEqual(ROLES.map(wireRole), ['men', 'girl'])
  deepEqual(ROLES.map(toGender), ['M', 'F'])
  deepEqual(ROLES.map(wireRole).map(toRole), ROLES)
  deepEqual(GENDERS.map(roleOfGender), ROLES)
  deepEqual(ROLES.map(otherRole), ['girl', 'guy'])
})

test('a typed role is read in either form, and nothing else is a role', () => {
  deepEqual(['guy', 'men', 'girl'].map(parseRole), ['guy', 'guy', 'girl'])
  deepEqual(['', 'man', 'Girl', 'constructor'].map(parseRole), Array(4).fill(undefined))
})

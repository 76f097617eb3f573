/** Demo: users to try the product with, in the demo installation only. */
export { DemoUsers } from './demo-users.tsx'
export { DemoMenu } from './demo-menu.tsx'

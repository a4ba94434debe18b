export function price(items) {
  const sum = items.reduce((total, { amount }) => total + amount, 0);
  return Math.round(sum * 100) / 100;
}

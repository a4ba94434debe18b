# Fails, and says where, if a line ends with a blank.
for letter in "$@"; do
  echo "looking at $letter"
  if grep -n ' $' "$letter" >&2; then
    echo "$letter has blanks at line ends" >&2
    exit 1
  fi
  sleep 0.5 # so that you can watch
done
echo "all tidy"

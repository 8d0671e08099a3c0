// A bot for 2048: it looks one move ahead. tune help bot has the protocol.
#include <array>
#include <cstdlib>
#include <iostream>
#include <string>
using Board = std::array<std::array<int, 4>, 4>;

// The number that follows a key, from a place on.
double number(const std::string& line, const std::string& key) {
  return std::atof(line.c_str() + line.find("\"" + key + "\":") + key.size() + 3);
}

// Moves a board, and returns the points of its merges. at is cell i of line k, as the move sees it.
int slide(Board& board, int move) {
  auto at = [&](int k, int i) -> int& {
    if (move % 2) i = 3 - i;  // down and right
    return move < 2 ? board[i][k] : board[k][i];
  };
  int points = 0;
  for (int k = 0; k < 4; k++) {
    int end = 0;
    bool free = false;  // whether the last tile may merge
    for (int i = 0; i < 4; i++) {
      int tile = at(k, i);
      if (!tile) continue;
      at(k, i) = 0;
      if (free && at(k, end - 1) == tile) {
        points += at(k, end - 1) = 2 * tile;
        free = false;
      } else {
        at(k, end++) = tile;
        free = true;
      }
    }
  }
  return points;
}

int main() {
  const std::string names[] = {"up", "down", "left", "right"};
  double empty = 0, corner = 0, smooth = 0;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find("\"weights\"") != std::string::npos) {  // a game begins: there is no answer
      empty = number(line, "empty"), corner = number(line, "corner"), smooth = number(line, "smooth");
      continue;
    }
    Board board;
    const char* p = line.c_str() + line.find("[[");
    for (auto& row : board)
      for (int& tile : row) {
        while (*p < '0' || *p > '9') p++;
        tile = std::strtol(p, const_cast<char**>(&p), 10);
      }
    int best = -1;
    double most = 0;
    for (int move = 0; move < 4; move++) {
      Board next = board;
      double value = slide(next, move);
      if (next == board) continue;
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
          value += empty * !next[i][j];
          if (j < 3) value -= smooth * (std::abs(next[i][j] - next[i][j + 1]) + std::abs(next[j][i] - next[j + 1][i]));
        }
      value += corner * next[3][0];
      if (best < 0 || value > most) best = move, most = value;
    }
    std::cout << "{\"move\": \"" << names[best] << "\"}" << std::endl;
  }
}
